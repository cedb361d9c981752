/** What every run of these tests asks. */
export const request = { model: 'provider-a/model-x', input: 'Find the limit' } as const;

/** A run as the service reports it, completed and without output unless `fields` say otherwise. */
export const run = (fields: object = {}): object => ({
  id: 'resp_1',
  status: 'completed',
  model: request.model,
  output: [],
  usage: null,
  ...fields,
});

/** An output item with one text. */
export const said = (text: string): object => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text, annotations: [] }],
});
