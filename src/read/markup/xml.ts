/**
 * XML as events, for the parts of Office files. Entities of a DOCTYPE are never expanded (saxes knows only the five
 * predefined ones), and nothing is fetched. Memory does not grow with the depth or size of the file.
 */
import { SaxesParser } from 'saxes';

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  /** @param name local name, without prefix @param qualified with its prefix, where two have one local name */
  open?(name: string, attributes: Attributes, qualified: string): void;
  close?(name: string, qualified: string): void;
  text?(text: string): void;
}

const CHUNK = 64 * 1024;

/**
 * @returns the first error in the XML; `undefined` when it is well-formed. Events before the error, and most after it,
 * are reported.
 */
export function readXml(bytes: Uint8Array, handler: XmlHandler): string | undefined {
  const parser = new SaxesParser({ xmlns: false, position: false });
  let problem: string | undefined;
  parser.on('error', (error) => {
    problem ??= error.message.replace(/^[\d:\s]*/u, '');
  });
  parser.on('opentag', ({ name, attributes }) => handler.open?.(localName(name), attributes, name));
  parser.on('closetag', ({ name }) => handler.close?.(localName(name), name));
  parser.on('text', (text) => handler.text?.(text));
  parser.on('cdata', (text) => handler.text?.(text));
  const decoder = new TextDecoder(encodingOf(bytes));
  for (let at = 0; at < bytes.length; at += CHUNK) {
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK), { stream: true }));
  }
  parser.write(decoder.decode());
  parser.close();
  return problem;
}

/** XML is UTF-8 unless a byte order mark or the XML declaration says otherwise. */
function encodingOf(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200));
  const declared = /^[^<]*<\?xml[^>]*encoding=["']([\w-]+)["']/u.exec(head)?.[1];
  try {
    return declared === undefined ? 'utf-8' : new TextDecoder(declared).encoding;
  } catch {
    return 'utf-8';
  }
}

export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** The attribute with this local name, with any prefix; `prefix` decides where two have the name (`id`, `r:id`). */
export function attribute(attributes: Attributes, name: string, prefix?: string): string | undefined {
  if (prefix !== undefined) {
    const exact = attributes[`${prefix}:${name}`];
    if (exact !== undefined) return exact;
    for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key];
    return undefined;
  }
  const plain = attributes[name];
  if (plain !== undefined) return plain;
  for (const key in attributes) if (key.endsWith(`:${name}`)) return attributes[key];
  return undefined;
}
