import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ownAsset } from '../core/package-files.ts';
import { pdfScript } from '../read/pdf/script.ts';
import type { Reply } from './route.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** What a page of ours may do: load from here alone, and stand in no frame. Sources stand in frames that run nothing. */
const pagePolicy: string = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self' blob:",
  "frame-src 'self' blob:",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that comes with the package. */
export const ownPage: string = fileURLToPath(ownAsset('serve/page'));

/** The content of a file and its state at the time of reading. */
interface KeptFile {
  readonly text: Buffer;
  readonly mtimeMs: number;
  readonly size: number;
}

/**
 * Files of a page by the path they are asked by. They are listed once: a path is looked up, never joined. Each is in
 * memory once, however many clients are slow to take it.
 */
export class Page {
  readonly #files = new Map<string, string>();
  readonly #kept = new Map<string, KeptFile>();

  /** @param folder need not be there */
  constructor(folder: string) {
    if (!existsSync(folder)) return;
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (Object.hasOwn(types, extname(name)) && statSync(path).isFile())
        this.#files.set(`/${name.replaceAll('\\', '/')}`, path);
    }
    this.#files.set('/pdf.mjs', pdfScript());
  }

  /** The file of a path; for `/` and the paths of the page's own views, its `index.html`. */
  reply(path: string): Reply | undefined {
    const name = path === '/' || path === '/source' ? '/index.html' : path;
    const file = this.#files.get(name);
    if (file === undefined) return undefined;
    const headers = {
      'content-security-policy': pagePolicy,
      'cache-control': 'no-cache',
      'cross-origin-opener-policy': 'same-origin',
    };
    return { text: this.#read(file), type: types[extname(file)]!, headers };
  }

  #read(file: string): Buffer {
    const { mtimeMs, size } = statSync(file);
    const kept = this.#kept.get(file);
    if (kept?.mtimeMs === mtimeMs && kept.size === size) return kept.text;
    const text = readFileSync(file);
    this.#kept.set(file, { text, mtimeMs, size });
    return text;
  }
}
