import { describeDelivery } from '../delivery/suite.ts';
import { openNodeAlone } from '../delivery/front.ts';

describeDelivery(openNodeAlone);
