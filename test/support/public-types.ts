import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface Module {
  /** Local name → where it comes from and its name there. */
  readonly imported: ReadonlyMap<string, Source>;
  /** Exported name → the same, for names handed on. `*` of a namespace is the module as a whole. */
  readonly handedOn: ReadonlyMap<string, Source>;
  readonly stars: readonly string[];
  /** Text of each declaration, by name. */
  readonly declared: ReadonlyMap<string, string>;
}

interface Source {
  readonly file: string;
  readonly name: string;
}

/**
 * Types that stand in public signatures and that a user cannot name: what a door's declarations mention, and none of the doors exports.
 * Reads declaration files as the compiler writes them for isolated declarations: one statement at a time, types with a capital.
 * @param doors declaration files; the first one's exports are looked at, the others may name types too
 * @returns `Type (in Export)`, sorted
 */
export function unnamedTypes(doors: readonly string[]): string[] {
  const modules = new Map<string, Module>();
  const moduleOf = (file: string): Module => {
    let found = modules.get(file);
    if (!found) {
      found = read(file);
      modules.set(file, found);
    }
    return found;
  };
  /** Where a name of a module is declared. */
  const follow = ({ file, name }: Source): Source | undefined => {
    if (!existsSync(file)) return undefined; // a package, or Node itself
    const { handedOn, declared, stars } = moduleOf(file);
    if (declared.has(name)) return { file, name };
    const next = handedOn.get(name);
    if (next) return next.name === '*' ? undefined : follow(next);
    for (const star of stars) {
      const there = follow({ file: star, name });
      if (there) return there;
    }
    return undefined;
  };
  const exportsOf = (file: string): Source[] => {
    const { handedOn, declared, stars } = moduleOf(file);
    return [
      ...[...declared.keys()].map((name) => ({ file, name })),
      ...[...handedOn.values()].flatMap((source) =>
        source.name === '*' ? exportsOf(source.file) : (follow(source) ?? []),
      ),
      ...stars.flatMap(exportsOf),
    ];
  };
  const keyOf = ({ file, name }: Source): string => `${file} ${name}`;
  const nameable = new Set(doors.flatMap(exportsOf).map(keyOf));
  const root = dirname(doors[0]!);
  const unnamed = new Set<string>();
  for (const { file, name } of exportsOf(doors[0]!)) {
    const { declared, imported } = moduleOf(file);
    for (const [word] of declared.get(name)!.matchAll(/(?<![.\w])[A-Z]\w*/g)) {
      if (word === name) continue;
      const source = imported.get(word) ?? (declared.has(word) ? { file, name: word } : undefined);
      const target = source && follow(source);
      if (target && !nameable.has(keyOf(target))) unnamed.add(`${word} (in ${name}, ${relative(root, file)})`);
      // a package's type in a public signature would be a promise about the package
      if (source && !target && !source.file.startsWith('node:')) unnamed.add(`${word} of ${source.file} (in ${name})`);
    }
  }
  return [...unnamed].sort();
}

function read(file: string): Module {
  const text = readFileSync(file, 'utf8')
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/^\s*\/\/.*$/gm, '');
  const at = (specifier: string): string =>
    specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$|\.ts$/, '.d.ts')) : specifier;
  const names = (list: string): [local: string, name: string][] =>
    list.split(',').flatMap((item) => {
      const parts = /^\s*(?:type\s+)?(\w+)(?:\s+as\s+(\w+))?\s*$/.exec(item);
      return parts ? [[parts[2] ?? parts[1]!, parts[1]!]] : [];
    });
  const imported = new Map<string, Source>();
  for (const [, list, from] of text.matchAll(/^import (?:type )?\{([^}]*)\} from ['"]([^'"]+)['"]/gm))
    for (const [local, name] of names(list!)) imported.set(local, { file: at(from!), name });
  const handedOn = new Map<string, Source>();
  for (const [, list, from] of text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?/gm))
    for (const [local, name] of names(list!)) {
      if (from !== undefined) handedOn.set(local, { file: at(from), name });
      else if (imported.has(name)) handedOn.set(local, imported.get(name)!);
    }
  for (const [, name, from] of text.matchAll(/^export (?:type )?\* as (\w+) from ['"]([^'"]+)['"]/gm))
    handedOn.set(name!, { file: at(from!), name: '*' });
  const stars = [...text.matchAll(/^export (?:type )?\* from ['"]([^'"]+)['"]/gm)].map(([, from]) => at(from!));
  const declared = new Map<string, string>();
  const statement = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|enum) (\w+)/;
  for (const part of text.split(/^(?=(?:export|declare|import|interface|type|class|function|const|enum) )/m)) {
    const name = statement.exec(part)?.[1];
    if (name !== undefined && !part.startsWith('import')) declared.set(name, (declared.get(name) ?? '') + part);
  }
  return { imported, handedOn, stars, declared };
}
