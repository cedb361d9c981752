import { WireError } from '../http/errors.ts';
import type { StandardSchema } from '../http/standard-schema.ts';
import { checkOutputSchema } from './check-schema.ts';
import { textOf } from './text.ts';
import type { JsonSchema, Message, OutputFormat } from './types.ts';

/**
 * A format for a request, and the way back: `{ …, output_config: { format: person.format } }`, then
 * `person.parse(message)`.
 */
export interface JsonOutput<T> {
  readonly format: OutputFormat;
  /**
   * The value of an answer.
   * @throws WireError RUN_FAILED after a refusal or a cut answer, RESPONSE_INVALID when the text is not the JSON asked
   * for
   */
  parse(message: Message): Promise<T>;
}

/**
 * Structured output by a JSON Schema.
 * @param check validates and types the value; the service keeps to the schema, but enum spelling may differ
 * @throws IbidError INVALID_ARGUMENT for a schema the service cannot compile, naming the place
 */
export function jsonOutput<T = unknown>(schema: JsonSchema, check?: StandardSchema<T>): JsonOutput<T> {
  checkOutputSchema('schema', schema);
  const { $schema: _dialect, ...plain } = schema;
  return {
    format: { type: 'json_schema', schema: plain },
    parse: async (message) => {
      if (message.stop_reason === 'refusal') {
        const why = message.stop_details?.explanation ?? message.stop_details?.category;
        throw new WireError('RUN_FAILED', `the model refused${why ? `: ${why}` : ''}`, {
          service: 'messages',
          type: 'refusal',
        });
      }
      if (message.stop_reason === 'max_tokens' || message.stop_reason === 'model_context_window_exceeded') {
        throw new WireError('RUN_FAILED', `the JSON was cut (${message.stop_reason})`, {
          service: 'messages',
          type: message.stop_reason,
          hint: 'Raise max_tokens.',
        });
      }
      const text = textOf(message);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch (cause) {
        throw new WireError('RESPONSE_INVALID', 'the answer is not JSON', {
          service: 'messages',
          body: text.slice(0, 2000),
          cause,
        });
      }
      if (check === undefined) return value as T; // the caller's own claim about its schema
      const checked = await check['~standard'].validate(value);
      if (checked.issues === undefined) return checked.value;
      const issues = checked.issues.map(({ message: issue }) => issue).join('; ');
      throw new WireError('RESPONSE_INVALID', `the answer does not fit the schema: ${issues}`, { service: 'messages' });
    },
  };
}
