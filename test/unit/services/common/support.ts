import { onTestFinished } from 'vitest';
import {
  type ModelServer,
  type ModelServerOptions,
  modelServer,
} from '../../../../src/services/common/model-server.ts';
import {
  type CommonStandIn,
  type CommonStandInOptions,
  commonService,
} from '../../../wire/service/common/common-service.ts';
import { type Harness, serve } from '../../../wire/service/harness.ts';

export interface OwnModels {
  readonly server: Harness;
  readonly standIn: CommonStandIn;
  readonly models: ModelServer;
}

/** A stand-in server with the parts of an index on it; closed when the test ends. */
export async function ownModels(
  options: CommonStandInOptions = {},
  own: Partial<ModelServerOptions> = {},
): Promise<OwnModels> {
  const standIn = commonService(options);
  const server = await serve([standIn]);
  const models = modelServer({ baseUrl: server.url, apiKey: options.apiKey, ...own });
  onTestFinished(async () => {
    await models.close();
    await server.close();
  });
  return { server, standIn, models };
}
