/** What programs of the machine (tesseract, ffmpeg, players) need to be found and to run; no key. */
export function programEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const names = ['PATH', 'TESSDATA_PREFIX', 'TMPDIR', 'TEMP', 'SystemRoot'];
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}
