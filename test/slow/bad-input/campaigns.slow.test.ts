import { testBadInput } from '../../api/bad-input/refuses-bad-input';
import { campaignRoutes } from '../../api/bad-input/route-groups';

testBadInput(campaignRoutes);
