import { testCarrier } from './support/carrier-tests';

describe('With Asterisk', () => testCarrier('asterisk'));
