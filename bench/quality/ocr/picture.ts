/** Grey pictures of pages, and what scanners do to them. */
import { crc32, deflateSync } from 'node:zlib';

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** One byte a dot, 255 is white. */
  readonly dots: Uint8Array;
}

/** A binary PGM, as `pdftoppm -gray` writes it. */
export function readPgm(bytes: Uint8Array): Picture {
  const head = /^P5\s+(\d+)\s+(\d+)\s+255\s/.exec(Buffer.from(bytes.subarray(0, 60)).toString('latin1'));
  if (!head) throw new Error('not a PGM of 8 bits');
  const [width, height] = [Number(head[1]), Number(head[2])];
  return { width, height, dots: bytes.subarray(head[0].length, head[0].length + width * height) };
}

/** Turned around its centre; what comes from outside is white. */
export function skew({ width, height, dots }: Picture, degrees: number): Picture {
  const turned = new Uint8Array(width * height).fill(255);
  const [sin, cos] = [Math.sin((degrees * Math.PI) / 180), Math.cos((degrees * Math.PI) / 180)];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [dx, dy] = [x - width / 2, y - height / 2];
      const fromX = Math.round(width / 2 + dx * cos + dy * sin);
      const fromY = Math.round(height / 2 - dx * sin + dy * cos);
      if (fromX >= 0 && fromX < width && fromY >= 0 && fromY < height)
        turned[y * width + x] = dots[fromY * width + fromX]!;
    }
  }
  return { width, height, dots: turned };
}

/** Grain on every dot, and some dots black or white; the same for one seed. */
export function noise({ width, height, dots }: Picture, seed: number): Picture {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const grainy = Uint8Array.from(dots, (dot) => {
    const value = next();
    if (value < 0.01) return value < 0.005 ? 0 : 255;
    return Math.max(0, Math.min(255, dot + (next() + next() + next() - 1.5) * 60));
  });
  return { width, height, dots: grainy };
}

/** As a grey PNG, which names its dots an inch. */
export function toPng({ width, height, dots }: Picture, dpi: number): Uint8Array {
  const chunk = (name: string, data: Uint8Array): Buffer => {
    const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
    const [size, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    size.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([size, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  const density = Buffer.alloc(9);
  for (const at of [0, 4]) density.writeUInt32BE(Math.round(dpi / 0.0254), at);
  density[8] = 1;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) rows.set(dots.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(rows, { level: 1 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}
