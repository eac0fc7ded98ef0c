import { testCarrier } from './support/carrier-tests';

describe('With Twilio', () => testCarrier('twilio'));
