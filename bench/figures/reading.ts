import { results } from './results.ts';

/** The words of files by two ways, one row for each format. */
export function readingTable(): string {
  const { results: formats } = results('reading');
  const share = (value: number): string => `${(100 * value).toFixed(2)} %`;
  return [
    '| format | files | words | missing | left out on purpose | invented | empty pages | order τ | most is left out as |',
    '| --- | --: | --: | --: | --: | --: | --: | --: | --- |',
    ...Object.keys(formats).map((name) => {
      const { files, words, missing, meant, invented, emptyPages, order, reasons } = formats[name];
      const cells = [
        name,
        files,
        words.toLocaleString('en'),
        share(missing),
        share(meant),
        share(invented),
        emptyPages,
      ];
      const most = Object.keys(reasons).slice(0, 3).join('; ');
      return `| ${[...cells, order.toFixed(3), most].join(' | ')} |`;
    }),
  ].join('\n');
}
