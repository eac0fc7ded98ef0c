import { testCarrier } from './support/carrier-tests';

describe('With Telnyx', () => testCarrier('telnyx'));
