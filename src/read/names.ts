import { extname } from 'node:path';
import { known } from '../core/known.ts';

/** Extensions of each format, in lower case, without the dot. */
export const formats = {
  markdown: ['md', 'markdown', 'mdx', 'mkd', 'mdown', 'qmd', 'rmd'],
  html: ['html', 'htm', 'xhtml', 'mhtm'],
  pdf: ['pdf'],
  docx: ['docx', 'docm', 'dotx', 'dotm'],
  pptx: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  xlsx: ['xlsx', 'xlsm', 'xltx', 'xltm'],
  odt: ['odt', 'ott', 'fodt'],
  ods: ['ods', 'ots', 'fods'],
  odp: ['odp', 'otp', 'fodp', 'odg', 'otg', 'fodg'], // the pages of a drawing are slides
  epub: ['epub'],
  doc: ['doc', 'dot'],
  xls: ['xls', 'xlt'],
  ppt: ['ppt', 'pps', 'pot'],
  csv: ['csv', 'tsv', 'tab', 'psv'],
  json: ['json', 'geojson', 'webmanifest', 'json5', 'jsonc'],
  jsonl: ['jsonl', 'ndjson', 'ldjson'],
  notebook: ['ipynb'],
  canvas: ['canvas'],
  subtitles: ['srt', 'vtt', 'sbv'],
  eml: ['eml', 'emlx', 'mht', 'mhtml'],
  mbox: ['mbox', 'mbx'],
  msg: ['msg'],
  ics: ['ics', 'ical', 'ifb'],
  vcf: ['vcf', 'vcard'],
  bib: ['bib'],
  po: ['po'],
  sqlite: ['sqlite', 'sqlite3', 'db3', 's3db'], // `.db` is told by its content: Thumbs.db is none
  parquet: ['parquet'],
  arrow: ['arrow', 'arrows', 'feather', 'ipc'],
  archive: ['zip', 'tar', 'tgz', 'gz'],
  rtf: ['rtf'],
  image: ['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'tif', 'tiff', 'webp', 'gif', 'bmp', 'jp2', 'jpf', 'j2k'],
  // biome-ignore format: one line
  recording: ['mp3', 'wav', 'flac', 'ogg', 'oga', 'opus', 'm4a', 'm4b', 'm4p', 'aac', 'webm', 'mkv', 'mka', 'mp4', 'm4v', 'mov'],
  rst: ['rst', 'rest'],
  org: ['org'],
  asciidoc: ['adoc', 'asciidoc'],
  man: ['man', 'mdoc', 'roff'], // sections, as `.1`, are told by the content: logs have such names
  tex: ['tex', 'latex', 'ltx', 'rnw'],
  yaml: ['yaml', 'yml'],
  // biome-ignore format: one line
  xml: ['xml', 'xsd', 'xsl', 'xslt', 'rss', 'atom', 'wsdl', 'dita', 'docbook', 'tei', 'opml', 'plist', 'svg', 'gpx', 'kml', 'tcx', 'xlf', 'xliff', 'tmx', 'resx', 'rdf', 'owl', 'fb2', 'enex'],
  text: ['txt', 'text', 'log', 'asc', 'nfo', 'readme', 'license', 'changelog', 'lrc'],
} as const;

export type Format = keyof typeof formats | 'code';

/** Extension → language of source code, as in `Block.language`. */
export const codeLanguages: Readonly<Record<string, string>> = {
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  py: 'python',
  pyi: 'python',
  pyw: 'python',
  ipy: 'python',
  java: 'java',
  kt: 'kotlin',
  kts: 'kotlin',
  scala: 'scala',
  groovy: 'groovy',
  gradle: 'groovy',
  c: 'c',
  h: 'c',
  cc: 'cpp',
  cpp: 'cpp',
  cxx: 'cpp',
  hpp: 'cpp',
  hh: 'cpp',
  hxx: 'cpp',
  ino: 'cpp',
  m: 'objective-c',
  mm: 'objective-c',
  cs: 'csharp',
  fs: 'fsharp',
  vb: 'vb',
  swift: 'swift',
  go: 'go',
  rs: 'rust',
  zig: 'zig',
  d: 'd',
  rb: 'ruby',
  php: 'php',
  pl: 'perl',
  pm: 'perl',
  lua: 'lua',
  r: 'r',
  jl: 'julia',
  dart: 'dart',
  ex: 'elixir',
  exs: 'elixir',
  erl: 'erlang',
  hs: 'haskell',
  ml: 'ocaml',
  mli: 'ocaml',
  clj: 'clojure',
  cljs: 'clojure',
  lisp: 'lisp',
  el: 'lisp',
  scm: 'scheme',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  fish: 'shell',
  ps1: 'powershell',
  bat: 'batch',
  cmd: 'batch',
  awk: 'awk',
  sql: 'sql',
  css: 'css',
  scss: 'scss',
  sass: 'sass',
  less: 'less',
  vue: 'vue',
  svelte: 'svelte',
  astro: 'astro',
  proto: 'protobuf',
  graphql: 'graphql',
  gql: 'graphql',
  tf: 'hcl',
  hcl: 'hcl',
  cmake: 'cmake',
  make: 'make',
  mk: 'make',
  dockerfile: 'dockerfile',
  nix: 'nix',
  sol: 'solidity',
  asm: 'assembly',
  s: 'assembly',
  f90: 'fortran',
  f: 'fortran',
  pas: 'pascal',
  ada: 'ada',
  adb: 'ada',
  ads: 'ada',
  v: 'verilog',
  sv: 'verilog',
  vhd: 'vhdl',
  vhdl: 'vhdl',
  cu: 'cuda',
  glsl: 'glsl',
  wgsl: 'wgsl',
  toml: 'toml',
  ini: 'ini',
  cfg: 'ini',
  conf: 'ini',
  properties: 'properties',
  env: 'properties',
  diff: 'diff',
  patch: 'diff',
};

/** File names that give the format without an extension. */
const knownNames: Readonly<Record<string, Format>> = {
  dockerfile: 'code',
  makefile: 'code',
  gnumakefile: 'code',
  rakefile: 'code',
  gemfile: 'code',
  vagrantfile: 'code',
  jenkinsfile: 'code',
  'cmakelists.txt': 'code',
  readme: 'text',
  license: 'text',
  licence: 'text',
  changelog: 'text',
  authors: 'text',
  notice: 'text',
  copying: 'text',
};

const byExtension: ReadonlyMap<string, Format> = new Map([
  ...Object.entries(formats).flatMap(([format, list]) => list.map((e): [string, Format] => [e, format as Format])),
  ...Object.keys(codeLanguages).map((e): [string, Format] => [e, 'code']),
]);

/** Sources of pages that are shown beside them as text: `index.rst.txt`. */
const SOURCES: ReadonlySet<Format> = new Set<Format>(['rst', 'markdown', 'asciidoc', 'org', 'notebook']);

/** True for a name that promises a recording. */
export function isRecordingName(name: string): boolean {
  // Asked of every file of a folder: most end in a known way, which is not looked at character by character.
  const known = byExtension.get(name.slice(name.lastIndexOf('.') + 1));
  if (known !== undefined && known !== 'recording') return false;
  return byExtension.get(extname(name).slice(1).toLowerCase()) === 'recording';
}

/** What a name promises; undefined for a name that tells nothing. */
export function formatOfName(name: string): Format | undefined {
  const lower = name.toLowerCase();
  const markup = lower.endsWith('.txt') ? byExtension.get(extname(lower.slice(0, -4)).slice(1)) : undefined;
  if (markup !== undefined && SOURCES.has(markup)) return markup;
  return known(knownNames, lower) ?? byExtension.get(extname(lower).slice(1));
}
