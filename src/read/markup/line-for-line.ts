/** Notations that are read as others, each line in its place, so that places of lines stay. */

const VERSION_NOTES: Readonly<Record<string, string>> = {
  versionadded: 'New in version',
  versionchanged: 'Changed in version',
  deprecated: 'Deprecated since version',
  versionremoved: 'Removed in version',
};
const VERSION_NOTE =
  /^([ \t]*)\.\. (versionadded|versionchanged|deprecated|versionremoved)::[ \t]*([^\s`]{1,40})[ \t]*/;

/** `.. deprecated:: 2.2` as pages made of it say it, line for line. */
export function withVersionNotes(source: string): string {
  const lines = source.split('\n');
  return lines
    .map((line, i) => {
      const [found, indent = '', kind = '', version] = VERSION_NOTE.exec(line) ?? [];
      if (found === undefined) return line;
      const said = line.slice(found.length);
      const below = lines[i + 1]?.trim() === '' ? (lines[i + 2] ?? '') : (lines[i + 1] ?? '');
      const goesOn = said !== '' || (below.startsWith(`${indent} `) && below.trim() !== '');
      return `${indent}${VERSION_NOTES[kind]} ${version}${goesOn ? ':' : '.'}${said === '' ? '' : ` ${said}`}`;
    })
    .join('\n');
}

/** `[source,yaml]`, `[,sh]`, `[listing]`: what is said of the code below it, and its language. */
const ADOC_SOURCE = /^\[(?:source(?:%\w+)?|listing)?(?:,[ \t]*"?([\w+#.-]{0,30})(?:[",\s][^\]\n]*)?)?\][ \t]*$/;
const ADOC_LISTING = /^(-{4,}|\.{4,})[ \t]*$/;

/** Code between lines of marks as a fence with its language, as Markdown has it, line for line. */
export function withFences(source: string): string {
  const lines = source.split('\n');
  for (let i = 0; i + 2 < lines.length; i++) {
    const said = lines[i]!.length > 2 ? ADOC_SOURCE.exec(lines[i]!) : null;
    if (said === null) continue;
    const begin = /^\.[^\s.]/.test(lines[i + 1]!) ? i + 2 : i + 1; // behind its title
    const edge = ADOC_LISTING.exec(lines[begin] ?? '')?.[1];
    const end = edge === undefined ? -1 : lines.findIndex((line, at) => at > begin && line.trimEnd() === edge);
    if (end < 0 || lines.slice(begin + 1, end).some((line) => line.trimStart().startsWith('```'))) continue;
    [lines[i], lines[begin], lines[end]] = ['', `\`\`\`${said[1] ?? ''}`, '```'];
    i = end;
  }
  return lines.join('\n');
}
