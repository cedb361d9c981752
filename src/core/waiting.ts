/** The warning of a document with pages that no OCR has read yet. A file without any other text is FILE_SCANNED. */
export const WAITS_FOR_OCR = 'WAITS_FOR_OCR';

export const OCR_HINT =
  'Install tesseract (`apt-get install tesseract-ocr poppler-utils`, `brew install tesseract poppler`) and ingest again.';

/** The warning of a recording of which only chapters are known. A recording without any text is FILE_UNTRANSCRIBED. */
export const WAITS_FOR_TRANSCRIPT = 'WAITS_FOR_TRANSCRIPT';
