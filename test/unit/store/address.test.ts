import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openIndex } from '../../../src/index.ts';
import { parseAddress } from '../../../src/store/address.ts';
import { guard } from '../../../src/store/failure.ts';

function refusalOf(address: string): unknown {
  try {
    return parseAddress(address);
  } catch (error) {
    return error;
  }
}

describe('the address of an index in an object store', () => {
  it.each([
    'az://docs',
    'az://docs/index',
    'az://docs/index/',
    'AZ://docs/a b',
    's3://bucket/ö/日本/a%20b+c&d=e',
    'abfss://docs@account.dfs.core.windows.net/index',
    's3+ddb://bucket/index?ddbTableName=locks',
    'gs://bucket/mail/a:b@c',
    'db://database',
  ])('%s is taken as it is', (uri) => {
    expect(parseAddress(uri)).toEqual({ kind: 'remote', uri });
  });

  it.each([
    'az://',
    'az:///index',
    's3://?x',
    'az://docs/a?b',
    'az://docs/a#b',
    's3+ddb://bucket/index?ddbTableName=locks#1',
    'az://docs//index',
    's3://bucket/a\\b',
    's3://id:p4ssw0rd@bucket/index',
    'az://docs/index?sv=1&sig=p4ssw0rd',
  ])('%s is refused, without what may be a secret in it', (address) => {
    const refusal = refusalOf(address);
    expect(refusal).toMatchObject({ code: 'INVALID_ARGUMENT', hint: expect.any(String) });
    expect(inspect(refusal)).not.toContain('p4ssw0rd');
  });
});

describe('an address that leads to no store', () => {
  it.each([
    ['ftp://host/index', /s3:\/\//],
    ['https://docs.example', /ibid serve.*openIndexes/],
  ])('%s is refused as one', async (address, hint) => {
    await expect(openIndex(address)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      message: expect.stringContaining(`${address.split(':')[0]}://`),
      hint: expect.stringMatching(hint),
    });
  });
});

describe('an error of an object store', () => {
  it.each([
    [
      'Failed to connect: IO { source: Generic { store: "MicrosoftAzure", inner: Status { status: 403, body: Some("<?xml version=\\"1.0\\"?>\\n<Error>\\n  <Code>AuthorizationFailure</Code>") } } }',
      'the object store answers 403 (AuthorizationFailure)',
      /credentials/,
    ],
    [
      'Error performing GET http://store/x in 1ms - Server returned non-2xx status code: 404 Not Found: <?xml?>\n<Error>\n  <Code>ContainerNotFound</Code>',
      'the object store answers 404 (ContainerNotFound)',
      /container/,
    ],
    ['Error, after 3 retries - Server returned non-2xx status code: 503 Service Unavailable: ', '503', /later/],
    ['after 1 retries - HTTP error: error sending request', 'cannot be reached', /endpoint/],
    [
      "LanceError(IO): Generic S3 error: Failed to resolve region for bucket 'b'",
      'the region of the bucket is not found',
      /credentials/,
    ],
    [
      'LanceError(IO): Generic MicrosoftAzure error: Invalid Access Key: Invalid symbol 33, offset 12.',
      'the key of the account is none',
      /credentials/,
    ],
  ])('says what it answered, and what to do', async (said, message, hint) => {
    const failing = guard('cannot be opened', async () => Promise.reject(new Error(said)));
    await expect(failing).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining(message),
      hint: expect.stringMatching(hint),
    });
    await expect(failing).rejects.not.toThrow(/store\/x|xml|retries/);
  });

  it('that the store handles itself keeps the words it is known by', async () => {
    const lost = 'Object not found: data/1.lance, status code: 404 Not Found: <Code>BlobNotFound</Code>';
    const late = 'Commit conflict for version 3, status code: 409';
    for (const said of [lost, late])
      await expect(guard('cannot read', async () => Promise.reject(new Error(said)))).rejects.toThrow(said);
  });
});
