/** The warning of a document with pages that no OCR has read yet. A file without any other text is FILE_SCANNED. */
export const WAITS_FOR_OCR = 'WAITS_FOR_OCR';
