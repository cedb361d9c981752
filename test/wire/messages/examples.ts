import { batchError, type MessagesService, textOf } from '../../../src/wire/messages/index.ts';

/** What an example needs beside the service: an id of the thing it works on, and a user for those that name one. */
export interface Given {
  readonly service: MessagesService;
  readonly id: string;
  readonly userId: string;
}

/**
 * One short example per operation of the table; the README prints what stands between `example` and `end`, the contract
 * test runs it.
 */
export const examples: Readonly<Record<string, (given: Given) => Promise<unknown>>> = {
  'messages.create': async ({ service }) => {
    const message = await service.create({
      model: 'assistant-small-4-5',
      max_tokens: 300,
      messages: [{ role: 'user', content: 'What does a pump do?' }],
    });
    const answer = textOf(message);
    return { answer, message };
  },

  'messages.stream': async ({ service }) => {
    let shown = '';
    const show = (text: string): void => {
      shown += text;
    };
    // example: messages.stream
    const stream = service.stream({
      model: 'assistant-small-4-5',
      max_tokens: 300,
      messages: [{ role: 'user', content: 'What does a pump do?' }],
    });
    for await (const text of stream.text()) show(text);
    const message = await stream.message(); // as if it had not been streamed
    // end
    return { shown, message };
  },

  'messages.count_tokens': async ({ service }) => {
    const { input_tokens } = await service.countTokens({
      model: 'assistant-large-4-6',
      messages: [{ role: 'user', content: 'What does a pump do?' }],
    });
    return input_tokens;
  },

  'messages.chat': async ({ service }) => {
    const completion = await service.chat.create({
      model: 'assistant-small-4-5',
      max_tokens: 300,
      messages: [{ role: 'user', content: 'What does a pump do?' }],
    });
    const answer = completion.choices[0]?.message.content;
    return answer;
  },

  'messages.chat_stream': async ({ service }) => {
    let answer = '';
    for await (const chunk of service.chat.stream({
      model: 'assistant-small-4-5',
      max_tokens: 300,
      messages: [{ role: 'user', content: 'What does a pump do?' }],
    })) {
      answer += chunk.choices[0]?.delta.content ?? '';
    }
    return answer;
  },

  'messages.batches.create': async ({ service }) => {
    const questions = ['What does a pump do?', 'What does a valve do?'];
    const batch = await service.batches.create(
      questions.map((content, n) => ({
        custom_id: `question-${n}`,
        params: { model: 'assistant-small-4-5', max_tokens: 300, messages: [{ role: 'user', content }] },
      })),
    );
    return batch;
  },

  'messages.batches.list': async ({ service }) => {
    // example: messages.batches.list
    const ids: string[] = [];
    for await (const batch of service.batches.list({ limit: 100 })) ids.push(batch.id);
    // end
    return ids;
  },

  'messages.batches.get': async ({ service, id }) => {
    const { processing_status, request_counts } = await service.batches.get(id);
    return { processing_status, request_counts };
  },

  'messages.batches.cancel': async ({ service, id }) => {
    const batch = await service.batches.cancel(id);
    return batch;
  },

  'messages.batches.delete': async ({ service, id }) => {
    const { type } = await service.batches.delete(id); // once it has ended
    return type;
  },

  'messages.batches.results': async ({ service, id }) => {
    // example: messages.batches.results
    const answers: Record<string, string> = {};
    for await (const { custom_id, result } of service.batches.resume(id, { pollMs: 10 })) {
      if (result.type === 'succeeded') answers[custom_id] = textOf(result.message);
      else answers[custom_id] = `failed: ${batchError({ custom_id, result })?.message}`;
    }
    // end
    return answers;
  },

  'messages.models.list': async ({ service }) => {
    // example: messages.models.list
    const citing: string[] = [];
    for await (const model of service.models.list()) {
      if (model.capabilities?.citations?.supported) citing.push(model.id);
    }
    // end
    return citing;
  },

  'messages.models.get': async ({ service }) => {
    const { max_input_tokens } = await service.models.get(service.profile.defaults.writer);
    return max_input_tokens;
  },

  'messages.files.upload': async ({ service }) => {
    const file = await service.files.upload({
      content: new TextEncoder().encode('The pump is water cooled.'),
      filename: 'pump.txt',
      type: 'text/plain',
    });
    const message = await service.create({
      model: 'assistant-small-4-5',
      max_tokens: 300,
      citations: true,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'document', source: { type: 'file', file_id: file.id } },
            { type: 'text', text: 'How is the pump cooled?' },
          ],
        },
      ],
    });
    return { file, message };
  },

  'messages.files.list': async ({ service }) => {
    // example: messages.files.list
    const names: string[] = [];
    for await (const file of service.files.list({ limit: 100 })) names.push(file.filename);
    // end
    return names;
  },

  'messages.files.get': async ({ service, id }) => {
    const { filename, size_bytes } = await service.files.get(id);
    return { filename, size_bytes };
  },

  'messages.files.content': async ({ service, id }) => {
    // example: messages.files.content
    const chunks: Uint8Array[] = [];
    for await (const bytes of await service.files.content(id)) chunks.push(bytes);
    // end
    return Buffer.concat(chunks).toString('utf8');
  },

  'messages.files.delete': async ({ service, id }) => {
    const { type } = await service.files.delete(id);
    return type;
  },

  'messages.admin.me': async ({ service }) => {
    const { name } = await service.admin.me();
    return name;
  },

  'messages.admin.users.list': async ({ service }) => {
    // example: messages.admin.users.list
    const roles: string[] = [];
    for await (const user of service.admin.users.list()) roles.push(`${user.email}: ${user.role}`);
    // end
    return roles;
  },

  'messages.admin.users.get': async ({ service, userId }) => {
    const user = await service.admin.users.get(userId);
    return user;
  },

  'messages.admin.users.update': async ({ service, userId }) => {
    const user = await service.admin.users.update(userId, { role: 'developer' });
    return user;
  },

  'messages.admin.users.delete': async ({ service, userId }) => {
    const { type } = await service.admin.users.delete(userId);
    return type;
  },

  'messages.admin.invites.create': async ({ service }) => {
    const invite = await service.admin.invites.create({ email: 'cleo@example.com', role: 'user' });
    return invite;
  },

  'messages.admin.invites.list': async ({ service }) => {
    // example: messages.admin.invites.list
    const open: string[] = [];
    for await (const invite of service.admin.invites.list()) if (invite.status === 'pending') open.push(invite.email);
    // end
    return open;
  },

  'messages.admin.invites.get': async ({ service, id }) => {
    const { status } = await service.admin.invites.get(id);
    return status;
  },

  'messages.admin.invites.delete': async ({ service, id }) => {
    const { type } = await service.admin.invites.delete(id);
    return type;
  },

  'messages.admin.workspaces.create': async ({ service }) => {
    const workspace = await service.admin.workspaces.create({ name: 'Manuals' });
    return workspace;
  },

  'messages.admin.workspaces.list': async ({ service }) => {
    // example: messages.admin.workspaces.list
    const names: string[] = [];
    for await (const workspace of service.admin.workspaces.list({ include_archived: true })) names.push(workspace.name);
    // end
    return names;
  },

  'messages.admin.workspaces.get': async ({ service, id }) => {
    const { name } = await service.admin.workspaces.get(id);
    return name;
  },

  'messages.admin.workspaces.update': async ({ service, id }) => {
    const { name } = await service.admin.workspaces.update(id, { name: 'Handbooks' });
    return name;
  },

  'messages.admin.workspaces.archive': async ({ service, id }) => {
    const { archived_at } = await service.admin.workspaces.archive(id);
    return archived_at;
  },

  'messages.admin.members.create': async ({ service, id, userId }) => {
    const member = await service.admin.members.create(id, { user_id: userId, workspace_role: 'workspace_user' });
    return member;
  },

  'messages.admin.members.list': async ({ service, id }) => {
    // example: messages.admin.members.list
    const users: string[] = [];
    for await (const member of service.admin.members.list(id)) users.push(member.user_id);
    // end
    return users;
  },

  'messages.admin.members.get': async ({ service, id, userId }) => {
    const { workspace_role } = await service.admin.members.get(id, userId);
    return workspace_role;
  },

  'messages.admin.members.update': async ({ service, id, userId }) => {
    const member = await service.admin.members.update(id, userId, { workspace_role: 'workspace_admin' });
    return member;
  },

  'messages.admin.members.delete': async ({ service, id, userId }) => {
    const { type } = await service.admin.members.delete(id, userId);
    return type;
  },

  'messages.admin.api_keys.list': async ({ service }) => {
    // example: messages.admin.api_keys.list
    const names: string[] = [];
    for await (const key of service.admin.apiKeys.list({ status: 'active' })) names.push(key.name);
    // end
    return names;
  },

  'messages.admin.api_keys.get': async ({ service, id }) => {
    const { status } = await service.admin.apiKeys.get(id);
    return status;
  },

  'messages.admin.api_keys.update': async ({ service, id }) => {
    const { status } = await service.admin.apiKeys.update(id, { status: 'inactive' });
    return status;
  },

  'messages.admin.usage_report.messages': async ({ service }) => {
    let tokens = 0;
    for await (const bucket of service.admin.usageReport({
      starting_at: '2026-03-01T00:00:00Z',
      ending_at: '2026-03-03T00:00:00Z',
      bucket_width: '1h',
      group_by: ['model'],
      models: ['assistant-small-4-5'],
    })) {
      for (const row of bucket.results) tokens += row.output_tokens ?? 0;
    }
    return tokens;
  },

  'messages.admin.usage_report.tool': async ({ service }) => {
    // example: messages.admin.usage_report.tool
    const buckets: unknown[] = [];
    const report = service.admin.toolReport('code', {
      starting_at: '2026-03-01T00:00:00Z',
      ending_at: '2026-03-03T00:00:00Z',
    });
    for await (const bucket of report) buckets.push(bucket);
    // end
    return buckets;
  },

  'messages.admin.cost_report': async ({ service }) => {
    let cents = 0;
    const range = { starting_at: '2026-03-01T00:00:00Z', ending_at: '2026-03-03T00:00:00Z' };
    for await (const bucket of service.admin.costReport(range)) {
      for (const row of bucket.results) cents += Number(row.amount);
    }
    return cents;
  },
};
