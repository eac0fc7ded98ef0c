import { validationFailed } from '../../platform/http/errors';
import type { Definition } from './definition';

/** @throws 400 if a definition has another name than the slug says */
export function assertSameName(name: string, definition: Definition): void {
  if (definition.name === undefined || definition.name === name) return;
  throw validationFailed([{ field: 'body.name', message: `name must be ${name}, as in the slug` }]);
}
