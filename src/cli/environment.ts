/** What programs of the machine (tesseract, ffmpeg, espeak-ng) need to be found and to run; no key. */
export function programEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  return picked(environment, ['PATH', 'TESSDATA_PREFIX', 'TMPDIR', 'TEMP', 'SystemRoot']);
}

/** What a player needs besides, to find the sound of the session. */
export function playerEnvironment(environment: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const session = ['HOME', 'XDG_RUNTIME_DIR', 'PULSE_SERVER', 'DISPLAY', 'WAYLAND_DISPLAY'];
  return {
    ...programEnvironment(environment),
    ...picked(environment, [...session, 'DBUS_SESSION_BUS_ADDRESS', 'SDL_AUDIODRIVER']),
  };
}

function picked(environment: NodeJS.ProcessEnv, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
  );
}
