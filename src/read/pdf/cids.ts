/**
 * What the CIDs of Adobe's collections stand for, for fonts that use them directly (`Identity-H`) and have no map to
 * Unicode. Each collection begins in the order of a national charset, so the platform's decoders know the characters.
 * @see Adobe Technical Notes 5078 (Japan1), 5079 (GB1), 5080 (CNS1) and 5093 (Korea1)
 */

export type Ordering = 'Japan1' | 'GB1' | 'CNS1' | 'Korea1';

/** CIDs that follow the order of a charset: the first code, how many, the first CID. */
type Run = readonly [code: number, count: number, cid: number];

interface Collection {
  readonly decoder: string;
  readonly runs: readonly Run[];
  /** The CIDs of the blank before the Latin letters, proportional and half-width. */
  readonly latin: readonly number[];
  /** What stands for `\` there. */
  readonly backslash: string;
  /** From CID 96 on. */
  readonly more?: string;
  readonly last: number;
}

/** Forms for vertical lines stand for the same characters. */
const COLLECTIONS: Readonly<Record<Ordering, Collection>> = {
  Japan1: {
    decoder: 'euc-jp',
    // biome-ignore format: a table
    runs: [
      [0xa1a1, 108, 633], [0xa2ba, 8, 741], [0xa2ca, 7, 749], [0xa2dc, 15, 756], [0xa2f2, 8, 771], [0xa2fe, 1, 779],
      [0xa3b0, 10, 780], [0xa3c1, 26, 790], [0xa3e1, 26, 816], [0xa4a1, 83, 842], [0xa5a1, 86, 925], [0xa6a1, 24, 1011],
      [0xa6c1, 24, 1035], [0xa7a1, 33, 1059], [0xa7d1, 33, 1092], [0xb0a1, 2965, 1125], [0xd0a1, 3388, 4090],
      // vertical
      [0xa1a2, 2, 7887], [0xa1b1, 2, 7889], [0xa1bc, 3, 7891], [0xa1c1, 5, 7894], [0xa1ca, 18, 7899], [0xa1e1, 1, 7917],
      [0xa4a1, 1, 7918], [0xa4a3, 1, 7919], [0xa4a5, 1, 7920], [0xa4a7, 1, 7921], [0xa4a9, 1, 7922], [0xa4c3, 1, 7923],
      [0xa4e3, 1, 7924], [0xa4e5, 1, 7925], [0xa4e7, 1, 7926], [0xa4ee, 1, 7927], [0xa5a1, 1, 7928], [0xa5a3, 1, 7929],
      [0xa5a5, 1, 7930], [0xa5a7, 1, 7931], [0xa5a9, 1, 7932], [0xa5c3, 1, 7933], [0xa5e3, 1, 7934], [0xa5e5, 1, 7935],
      [0xa5e7, 1, 7936], [0xa5ee, 1, 7937], [0xa5f5, 2, 7938],
    ],
    latin: [1, 231],
    backslash: '¥',
    more:
      '’\\‘|~¡¢£⁄ƒ§¤“«‹›ﬁﬂ–†‡·¶•‚„”»…‰¿´ˆ¯˘˙¨˚¸˝˛ˇ—ÆªŁØŒºæıłøœß-©¬®°±²³µ¹¼½¾ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖ×ÙÚÛÜÝÞ' +
      'àáâãäåçèéêëìíîïðñòóôõö÷ùúûüýþÿŠŸŽ‾š™ž',
    last: 23_059,
  },
  GB1: {
    decoder: 'gbk',
    // biome-ignore format: a table
    runs: [
      [0xa1a1, 94, 96], [0xa2b1, 50, 190], [0xa2e5, 10, 240], [0xa2f1, 12, 250], [0xa3a1, 177, 262], [0xa5a1, 86, 439],
      [0xa6a1, 24, 525], [0xa6c1, 53, 549], [0xa7a1, 33, 602], [0xa7d1, 33, 635], [0xa8a1, 32, 668], [0xa8c5, 38, 700],
      [0xa9a4, 76, 738], [0xb0a1, 3755, 940], [0xd8a1, 3008, 4695],
      // vertical
      [0xa3ac, 1, 573], [0xa1a3, 1, 574], [0xa1a2, 1, 575], [0xa3ba, 2, 576], [0xa3a1, 1, 578], [0xa3bf, 1, 579],
      [0xa3a8, 2, 580], [0xa1b2, 14, 582], [0xa3fb, 1, 596], [0xa3fd, 1, 597], [0xa1aa, 1, 598], [0xa1ad, 1, 599],
      [0xa3df, 1, 600], [0xa1ab, 2, 7704], [0xa1fe, 1, 7706], [0xa3ae, 1, 7707], [0xa3bd, 1, 7708], [0xa3db, 1, 7709],
      [0xa3dd, 1, 7710], [0xa3fe, 1, 7711],
    ],
    latin: [1, 813],
    backslash: '\\',
    last: 30_283,
  },
  CNS1: {
    decoder: 'big5',
    // biome-ignore format: a table
    runs: [
      [0xa140, 25, 99], [0xa15d, 119, 128], [0xa1f6, 1, 248], [0xa1f7, 1, 247], [0xa1f8, 254, 249], [0xa3bd, 3, 503],
      [0xa440, 1412, 595], [0xacfe, 1, 2431], [0xad40, 424, 2007], [0xafd0, 1876, 2432], [0xbbc8, 387, 4309],
      [0xbe52, 1, 4308], [0xbe53, 525, 4696], [0xc1ab, 189, 5222], [0xc2cb, 1, 5221], [0xc2cc, 84, 5411],
      [0xc361, 54, 5496], [0xc3b9, 1, 5551], [0xc3ba, 1, 5550], [0xc3bb, 90, 5552], [0xc456, 1, 5495],
      [0xc457, 354, 5642], [0xc940, 10, 5996], [0xc94a, 1, 628], [0xc94b, 33, 6006], [0xc96c, 48, 6040],
      [0xc9be, 1, 6039], [0xc9bf, 46, 6088], [0xc9ed, 167, 6135], [0xcaf7, 1, 6134], [0xcaf8, 1840, 6302],
      [0xd6cc, 1, 8788], [0xd6cd, 108, 8143], [0xd77a, 1, 8889], [0xd77b, 537, 8251], [0xdadf, 1, 8142],
      [0xdae0, 100, 8789], [0xdba7, 399, 8890], [0xddfc, 1, 9089], [0xddfd, 1637, 9289], [0xe8a3, 146, 10927],
      [0xe976, 287, 11074], [0xeb5b, 116, 11362], [0xebf1, 1, 10926], [0xebf2, 137, 11478], [0xecde, 1, 11073],
      [0xecdf, 104, 11615], [0xedaa, 222, 11720], [0xeeeb, 1, 12308], [0xeeec, 198, 11942], [0xf056, 1, 11719],
      [0xf057, 82, 12140], [0xf0cb, 1, 11361], [0xf0cc, 86, 12222], [0xf163, 8, 12309], [0xf16b, 1, 12640],
      [0xf16c, 153, 12317], [0xf268, 1, 12783], [0xf269, 56, 12470], [0xf2c3, 113, 12527], [0xf375, 142, 12641],
      [0xf466, 45, 12784], [0xf4b5, 1, 12526], [0xf4b6, 71, 12829], [0xf4fd, 194, 12901], [0xf663, 1, 12900],
      [0xf664, 490, 13095], [0xf977, 43, 13586], [0xf9c4, 1, 13585], [0xf9c5, 1, 13629], [0xf9c6, 1, 13641],
      [0xf9c7, 11, 13630], [0xf9d2, 4, 13642],
      // vertical
      [0xa14b, 1, 13646], [0xa1e3, 1, 13647],
    ],
    latin: [1, 13_648],
    backslash: '\\',
    more: '©™…',
    last: 19_178,
  },
  // Its Chinese characters have no order that a table of this size could hold.
  Korea1: {
    decoder: 'euc-kr',
    // biome-ignore format: a table
    runs: [
      [0xa1a1, 163, 101], [0xa3a1, 145, 264], [0xa4d5, 52, 409], [0xa5b0, 10, 461], [0xa5c1, 24, 471], [0xa5e1, 24, 495],
      [0xa6a1, 68, 519], [0xa7a1, 79, 587], [0xa8a1, 4, 666], [0xa8a6, 1, 670], [0xa8a8, 8, 671], [0xa8b1, 255, 679],
      [0xaba1, 86, 934], [0xaca1, 33, 1020], [0xacd1, 33, 1053], [0xb0a1, 2350, 1086],
      // vertical
      [0xa1a2, 2, 8056], [0xa1a5, 1, 8058], [0xa1a9, 3, 8059], [0xa1ad, 1, 8062], [0xa1b2, 12, 8063], [0xa1eb, 1, 8075],
      [0xa3a1, 1, 8076], [0xa3a8, 2, 8077], [0xa3ac, 1, 8079], [0xa3ae, 1, 8080], [0xa3ba, 6, 8081], [0xa3db, 1, 8087],
      [0xa3dd, 1, 8088], [0xa3df, 1, 8089], [0xa3fb, 4, 8090],
    ],
    latin: [1, 8094],
    backslash: '₩',
    more: '₩‐©',
    last: 18_351,
  },
};

/** The character of each CID of a collection; U+FFFD where it is not known, or pdf.js would take the number for it. */
export function charactersOf(ordering: Ordering): Map<number, string> {
  const { decoder: name, runs, latin, backslash, more = '', last } = COLLECTIONS[ordering];
  const found = new Map<number, string>();
  const decoder = new TextDecoder(name);
  for (const [first, count, cid] of runs) {
    let code = first;
    for (let i = 0; i < count; i++) {
      const character = decoder.decode(Uint8Array.of(code >> 8, code & 0xff));
      if (character.length === 1) found.set(cid + i, character);
      code = after(code, ordering);
    }
  }
  for (const cid of latin) {
    for (let i = 0; i < 95; i++) {
      const character = i === 60 ? backslash : String.fromCharCode(0x20 + i);
      if (!found.has(cid + i)) found.set(cid + i, character);
    }
  }
  for (const [i, character] of [...more].entries()) if (!found.has(96 + i)) found.set(96 + i, character);
  for (let cid = 1; cid <= last; cid++) if (!found.has(cid)) found.set(cid, '\ufffd');
  return found;
}

/** The next two-byte code of a charset. */
function after(code: number, ordering: Ordering): number {
  const low = code & 0xff;
  if (low === 0xfe) return (code & 0xff00) + 0x100 + (ordering === 'CNS1' ? 0x40 : 0xa1);
  return ordering === 'CNS1' && low === 0x7e ? code + 0x23 : code + 1;
}
