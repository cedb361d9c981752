import type { Command } from 'commander';
import { cacheFolder } from '../index-cache.ts';
import { readSettings } from './settings.ts';

/** Completes the flags of a command with what is configured, and adds all settings as `settings`. */
export function completeFlags(command: Command): void {
  const settings = readSettings();
  const { budget, ocr } = settings.config;
  const languages = ocr?.languages ?? [];
  const configured = {
    ...{ budget, ocrLanguages: languages.length > 0 ? languages.join('+') : undefined },
    indexCache: cacheFolder(settings),
  };
  for (const [name, value] of Object.entries(configured)) {
    const isTaken = command.options.some((option) => option.attributeName() === name);
    if (isTaken && value !== undefined && command.getOptionValue(name) === undefined)
      command.setOptionValueWithSource(name, value, 'config');
  }
  command.setOptionValue('settings', settings);
}
