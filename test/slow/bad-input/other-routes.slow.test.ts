import { testBadInput } from './refuses-bad-input';
import { otherRoutes } from './route-groups';
import { strayCases } from './stray-cases';

testBadInput(otherRoutes, strayCases);
