import type { Logger } from '@parley/worker';
import type { CarrierSettings } from '../runtime/carrier-settings';
import type { Speech } from '../speech/services';
import type { Carrier } from './carrier';
import { AsteriskDoor } from './asterisk/asterisk-door';
import { startLine } from './line/start-line';
import { TelnyxDoor } from './telnyx/telnyx-door';
import { TwilioDoor } from './twilio/twilio-door';

export interface CarrierParts {
  /** The address at which carriers reach this process, such as `wss://voice.example.com`. */
  publicUrl: string;
  /** The part of its paths that names this process. */
  processPath: string;
  speech: Speech;
  logger: Pick<Logger, 'warn'>;
}

/** The carrier of the settings. @returns it with what ends it */
export async function createCarrier(
  settings: CarrierSettings,
  { publicUrl, processPath, speech, logger }: CarrierParts,
): Promise<{ carrier: Carrier; close: () => Promise<void> }> {
  const close = () => Promise.resolve();
  switch (settings.name) {
    case 'line':
      return startLine({ speech, logger });
    case 'twilio':
      return { carrier: new TwilioDoor({ ...settings, publicUrl, processPath }, logger), close };
    case 'asterisk': {
      const carrier = new AsteriskDoor(settings, logger);
      return { carrier, close: () => carrier.close() };
    }
    case 'telnyx':
      return { carrier: new TelnyxDoor({ ...settings, publicUrl, processPath }, logger), close };
  }
}
