import { reportsConformance } from './conformance.ts';
import { openNoReports } from './none.ts';

reportsConformance(async () => openNoReports());
