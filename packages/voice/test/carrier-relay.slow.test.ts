import { testCarrier } from './support/carrier-tests';

describe('With ConversationRelay of Twilio', () => testCarrier('twilio that speaks'));
