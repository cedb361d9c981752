/** Asks how a program is installed, how a module is imported. */
export const asksToInstall: RegExp = /\binstall(?:s|ed|ing)?\b|\binstallier|\binstaller\b|\binstalar\b/iu;
export const asksToImport: RegExp = /^how\b.*\s(?:import(?:ed)?|require|load)(?=\s|\?|$)|\bimportier/iu;
