import { onTestFinished } from 'vitest';
import { type CommonService, type CommonServiceOptions, createCommonService } from '../../../src/wire/common/index.ts';
import { type CommonStandIn, type CommonStandInOptions, commonService } from '../service/common/common-service.ts';
import { type Harness, serve } from '../service/harness.ts';

export interface Served {
  readonly server: Harness;
  readonly standIn: CommonStandIn;
  readonly client: CommonService;
}

/** The stand-in with a client of ours; both closed when the test ends. */
export async function served(
  options: CommonStandInOptions = {},
  own: Partial<CommonServiceOptions> = {},
): Promise<Served> {
  const standIn = commonService(options);
  const server = await serve([standIn]);
  const client = createCommonService({ baseUrl: server.url, apiKey: options.apiKey, ...own });
  onTestFinished(async () => {
    await client.close();
    await server.close();
  });
  return { server, standIn, client };
}
