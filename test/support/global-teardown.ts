import { asAdmin, templateName } from './database';

export default function globalTeardown(): Promise<void> {
  return asAdmin(`DROP DATABASE IF EXISTS ${templateName()}`);
}
