/** Half-open range `[start, end)` in UTF-16 code units of `Document.text`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export type MetadataValue = string | number | boolean | null;
/** Plain fields of a document, which a filter names as `metadata.key`. */
export type Metadata = Readonly<Record<string, MetadataValue>>;

/**
 * A place in the source file, in the terms of the source. Pages, slides, lines and rows count from 1; ranges are
 * inclusive; times are milliseconds.
 */
export interface Place {
  readonly page?: number;
  readonly lines?: readonly [first: number, last: number];
  readonly timeMs?: readonly [start: number, end: number];
  /** Who speaks, by name, else `Speaker 2`. */
  readonly speaker?: string;
  readonly sheet?: string;
  readonly rows?: readonly [first: number, last: number];
  /** Message of a mailbox, notebook cell, attachment or archive member, by a name that a person recognises. */
  readonly part?: string;
  /** The text was read from a picture by OCR, and may have mistakes. */
  readonly ocr?: Recognition;
}

/** Where and how surely text was read from a picture. */
export interface Recognition {
  /** Left, top, right and bottom edge, as shares of the width and height of the page or picture. */
  readonly region: readonly [left: number, top: number, right: number, bottom: number];
  /** In [0, 1], as the OCR program gives it: the mean of the words. */
  readonly confidence: number;
}

/** The `Place` of `[start, end)` of the text. Locators are sorted by start and do not overlap. */
export interface Locator extends Span, Place {}

/** What a block is in its document. */
export type BlockKind =
  | 'heading'
  | 'paragraph'
  | 'list'
  | 'table'
  | 'code'
  | 'quote'
  | 'cue' // one caption or one chat turn
  | 'record' // one row or one JSON value
  | 'reference'; // bibliography, "see also", navigation: matches many queries, answers none

/** One structural unit of a document. Blocks are sorted and do not overlap; the text between them is separators. */
export interface Block extends Span {
  readonly kind: BlockKind;
  /** Headings only, 1 (outermost) to 6. */
  readonly level?: number;
  /** Headings only: the heading without markup, for a heading path. Absent: the block's own text. */
  readonly label?: string;
  /** Tables only: the span of the header rows, repeated as context when a table is cut. */
  readonly header?: Span;
  /** Code only, lower case. */
  readonly language?: string;
}

/** Something that a reader left out, guessed or could not read. */
export interface ReadWarning {
  readonly code: string;
  readonly message: string;
  /**
   * Number of lines that were left out on purpose, such as running headers. Absent: something was guessed or could not
   * be read.
   */
  readonly leftOut?: number;
}

/** The result of every reader: normalised text, its structure, and its places in the source. */
export interface Document {
  /** Path relative to the scanned root with `/` between segments, or an address. */
  readonly uri: string;
  /** The document's own title; '' when the document has none. */
  readonly title: string;
  /** Line ends are LF; no NUL, no byte order mark; no lone surrogates. */
  readonly text: string;
  /** `markdown`, `html`, `pdf`, … */
  readonly format: string;
  readonly blocks: readonly Block[];
  readonly locators: readonly Locator[];
  /**
   * Source line of the text's first line, for formats whose text keeps the source's lines. The line of an offset is
   * `firstLine` plus the number of line feeds before the offset. Absent for other formats.
   */
  readonly firstLine?: number;
  readonly metadata: Metadata;
  readonly warnings: readonly ReadWarning[];
}

/** A piece of a document. `document.text.slice(span.start, span.end) === text`; joined chunks are the whole text. */
export interface Chunk {
  /** Position in the document, from 0. */
  readonly position: number;
  readonly span: Span;
  readonly text: string;
  /** Heading path at the chunk's start, outermost first, without the document title. */
  readonly headings: readonly string[];
  /** Context for retrieval that is not in the text, such as the header row of a table that was cut. */
  readonly context?: string;
  readonly tokens: number;
  /** The document's locators that overlap the span, clipped to it (document offsets). */
  readonly locators: readonly Locator[];
  /** Source line of the chunk's first character, when the document has `firstLine`. */
  readonly firstLine?: number;
}

/** A chunk read from the index. */
export interface StoredChunk extends Chunk {
  readonly uri: string;
  /** The document's own title, else (for files) the file name without extension. */
  readonly title: string;
  readonly format: string;
  readonly metadata: Metadata;
}

/** The contribution of one list to a hit's score. All contributions add up to the score before calibration. */
export interface Contribution {
  /** Name of the list; for the ranking of an index one of `Weights`, after a reranker `rerank`. */
  readonly list: string;
  /** Of the hit among the candidates by this list, from 1. */
  readonly rank?: number;
  /** What the list says of the hit; times `weight` it is the contribution. */
  readonly value: number;
  readonly weight: number;
}

/** The origin of a web hit. */
export interface WebOrigin {
  /** Id of the stored text of the page; part of a citation. */
  readonly snapshot: string;
  /** ISO 8601. */
  readonly fetchedAt: string;
  /** `YYYY-MM-DD`, as given by the search service. */
  readonly published?: string;
  readonly updated?: string;
  /** The query variant that found the page, and the page's rank for that variant, from 1. */
  readonly query: string;
  readonly rank: number;
}

/** A chunk that a search has found. */
export interface Hit {
  readonly chunk: StoredChunk;
  /** In [0, 1], higher is better; near 0: the index has nothing about the query. */
  readonly score: number;
  readonly origin: 'local' | 'web';
  /** Present for `origin: 'web'`. */
  readonly web?: WebOrigin;
  readonly trace: readonly Contribution[];
}

/** Options of every call that takes time. */
export interface CallOptions {
  /** Ends the call with its `reason`. @default the call cannot be ended */
  readonly signal?: AbortSignal | undefined;
  /** Told while a service that was asked stays silent; what it throws is ignored. */
  readonly onSilence?: ((silence: Silence) => void) | undefined;
}

/** A service has sent nothing for a while, not even a sign of life. */
export interface Silence {
  /** `search`, `messages`, `audio`. */
  readonly service: string;
  readonly operation: string;
  /** How long by now, in ms: told after ten seconds and every ten more; 0 once the silence is over. */
  readonly silentMs: number;
  /** The silence after which the service is given up, in ms; 0: none. */
  readonly limitMs: number;
}
