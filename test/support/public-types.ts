import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

interface Module {
  /** Local name → where it comes from and its name there. */
  readonly imported: ReadonlyMap<string, Source>;
  /** Exported name → the same, for names handed on. `*` of a namespace is the module as a whole. */
  readonly handedOn: ReadonlyMap<string, Source>;
  /** Files of which all is handed on, or all types. */
  readonly stars: readonly { readonly file: string; readonly typesOnly: boolean }[];
  /** Text of each declaration, by name. */
  readonly declared: ReadonlyMap<string, string>;
  /** Exported name → name of the declaration in this module. */
  readonly exported: ReadonlyMap<string, string>;
}

interface Source {
  readonly file: string;
  readonly name: string;
}

/** An exported name and where it is declared; `audio.toWav` for a name of a namespace. */
interface Exported extends Source {
  readonly as: string;
}

const typeName = /(?<![.\w])[A-Z]\w*/g;

/**
 * Declaration files as the compiler writes them for isolated declarations: one statement at a time, types with a
 * capital.
 */
class Declarations {
  readonly #modules = new Map<string, Module>();

  of(file: string): Module {
    let found = this.#modules.get(file);
    if (!found) {
      found = read(file);
      this.#modules.set(file, found);
    }
    return found;
  }

  /** Where a name that a module exports is declared. */
  follow({ file, name }: Source): Source | undefined {
    if (!existsSync(file)) return undefined; // a package, or Node itself
    const { handedOn, exported, stars } = this.of(file);
    const here = exported.get(name);
    if (here !== undefined) return { file, name: here };
    const next = handedOn.get(name);
    if (next) return next.name === '*' ? undefined : this.follow(next);
    for (const star of stars) {
      const there = this.follow({ file: star.file, name });
      if (there) return there;
    }
    return undefined;
  }

  /**
   * The text of a declaration, and of what it mentions that its module keeps to itself: such a type is a part of it.
   */
  textOf({ file, name }: Source, seen: Set<string> = new Set()): string {
    seen.add(name);
    const { declared, exported } = this.of(file);
    const own = [...exported.values()];
    const text = declared.get(name)!;
    const parts = [...text.matchAll(typeName)].flatMap(([word]) =>
      declared.has(word) && !own.includes(word) && !seen.has(word) ? [this.textOf({ file, name: word }, seen)] : [],
    );
    return [text, ...parts].join('');
  }

  #isValue({ file, name }: Source): boolean {
    return /^(?:export )?(?:declare )?(?:function|const|let) /.test(this.of(file).declared.get(name)!);
  }

  exportsOf(file: string): Exported[] {
    const { handedOn, exported, stars } = this.of(file);
    return [
      ...[...exported].map(([as, name]) => ({ as, file, name })),
      ...[...handedOn].flatMap(([as, source]) => {
        if (source.name === '*') return this.exportsOf(source.file).map((one) => ({ ...one, as: `${as}.${one.as}` }));
        const there = this.follow(source);
        return there ? [{ as, ...there }] : [];
      }),
      ...stars.flatMap((star) => this.exportsOf(star.file).filter((one) => !star.typesOnly || !this.#isValue(one))),
    ];
  }
}

/**
 * What a door exports, as the compiler declares it: one entry a name, sorted, comments and private members left out.
 * @param door a declaration file
 */
export function publicDeclarations(door: string): string {
  const declarations = new Declarations();
  return declarations
    .exportsOf(door)
    .map(({ as, file, name }) => {
      const lines = declarations
        .textOf({ file, name })
        .split('\n')
        .filter((line) => line.trim() !== '' && !/^\s*(?:private |#private;)/.test(line));
      return `${as}: ${lines.join('\n').replace(/^export (?:declare )?/gm, '')}`;
    })
    .sort()
    .join('\n');
}

/**
 * Types that stand in public signatures and that a user cannot name: what a door's declarations mention, and none of
 * the doors exports.
 * @param doors declaration files; the first one's exports are looked at, the others may name types too
 * @param bridged packages that a door is a bridge to: their types may stand in its signatures
 * @returns `Type (in Export)`, sorted
 */
export function unnamedTypes(doors: readonly string[], bridged: readonly string[] = []): string[] {
  const declarations = new Declarations();
  const keyOf = ({ file, name }: Source): string => `${file} ${name}`;
  const nameable = new Set(doors.flatMap((door) => declarations.exportsOf(door)).map(keyOf));
  const root = dirname(doors[0]!);
  const unnamed = new Set<string>();
  for (const { file, name } of declarations.exportsOf(doors[0]!)) {
    const { exported, imported } = declarations.of(file);
    for (const [word] of declarations.textOf({ file, name }).matchAll(typeName)) {
      if (word === name) continue;
      const source = imported.get(word) ?? (exported.has(word) ? { file, name: word } : undefined);
      const target = source && declarations.follow(source);
      if (target && !nameable.has(keyOf(target))) unnamed.add(`${word} (in ${name}, ${relative(root, file)})`);
      // a package's type in a public signature would be a promise about the package
      const isBridged = bridged.some((one) => source?.file === one || source?.file.startsWith(`${one}/`));
      if (source && !target && !isBridged && !source.file.startsWith('node:'))
        unnamed.add(`${word} of ${source.file} (in ${name})`);
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
  const exported = new Map<string, string>();
  for (const [, list, from] of text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from ['"]([^'"]+)['"])?/gm))
    for (const [local, name] of names(list!)) {
      if (from !== undefined) handedOn.set(local, { file: at(from), name });
      else if (imported.has(name)) handedOn.set(local, imported.get(name)!);
      else exported.set(local, name);
    }
  for (const [, name, from] of text.matchAll(/^export (?:type )?\* as (\w+) from ['"]([^'"]+)['"]/gm))
    handedOn.set(name!, { file: at(from!), name: '*' });
  const stars = [...text.matchAll(/^export (type )?\* from ['"]([^'"]+)['"]/gm)].map(([, type, from]) => ({
    file: at(from!),
    typesOnly: type !== undefined,
  }));
  const declared = new Map<string, string>();
  const statement = /^(?:export )?(?:declare )?(?:abstract )?(?:interface|type|class|function|const|let|enum) (\w+)/;
  for (const part of text.split(/^(?=(?:export|declare|import|interface|type|class|function|const|enum) )/m)) {
    const name = statement.exec(part)?.[1];
    if (name === undefined || part.startsWith('import')) continue;
    declared.set(name, (declared.get(name) ?? '') + part.replace(/^export (?:type )?\{[^}]*\}.*$/gm, ''));
    if (part.startsWith('export ')) exported.set(name, name);
  }
  return { imported, handedOn, stars, declared, exported };
}
