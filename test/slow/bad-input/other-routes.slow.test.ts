import { testBadInput } from '../../api/bad-input/refuses-bad-input';
import { otherRoutes } from '../../api/bad-input/route-groups';
import { strayCases } from '../../api/bad-input/stray-cases';

testBadInput(otherRoutes, strayCases);
