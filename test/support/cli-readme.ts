// Makes the tables of src/cli/README.md from the commands and the services, and ibid.config.schema.json from the
// description of a configuration.
//
//   node test/support/cli-readme.ts --write
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFlags } from '../../bench/support/flags.ts';
import { description } from '../../src/cli/config/description.ts';
import { audioService, messagesService, searchService, variable } from '../../src/cli/keys.ts';
import { buildProgram } from '../../src/cli/run.ts';

export const cliReadmePath: string = join(import.meta.dirname, '../../src/cli/README.md');

export const schemaPath: string = join(import.meta.dirname, '../../ibid.config.schema.json');

function schemaText(): string {
  return `${JSON.stringify(description, null, 2)}\n`;
}

/** The text with its tables as the code has them. */
export function withCliTables(text: string): string {
  const { commands } = buildProgram(async () => {});
  const commandRows = commands.map((command) => {
    const args = command.registeredArguments.map((argument) => {
      const name = `${argument.name()}${argument.variadic ? '…' : ''}`;
      return argument.required ? ` <${name}>` : ` [${name}]`;
    });
    return `| \`ibid ${command.name()}${args.join('')}\` | ${command.summary()} |`;
  });
  const keyRows = [searchService, messagesService, audioService].map(
    (service) =>
      `| ${service.name} | \`${variable(service, 'API_KEY')}\` | \`${variable(service, 'BASE_URL')}\` | ${service.uses} | ${service.product}, ${service.address} |`,
  );
  const tables: Readonly<Record<string, readonly string[]>> = {
    commands: ['| command | what it does |', '| --- | --- |', ...commandRows],
    keys: [
      '| service | key | address | for | live service, with `…_PROFILE=public` |',
      '| --- | --- | --- | --- | --- |',
      ...keyRows,
    ],
  };
  return Object.entries(tables).reduce(
    (whole, [name, rows]) =>
      whole.replace(
        new RegExp(`<!-- ${name} -->[\\s\\S]*<!-- /${name} -->`),
        () => `<!-- ${name} -->\n${rows.join('\n')}\n<!-- /${name} -->`,
      ),
    text,
  );
}

if (import.meta.main) {
  const { values } = readFlags(import.meta.filename, { options: { write: { type: 'boolean', default: false } } });
  if (values.write) {
    writeFileSync(cliReadmePath, withCliTables(readFileSync(cliReadmePath, 'utf8')));
    writeFileSync(schemaPath, schemaText());
  }
}
