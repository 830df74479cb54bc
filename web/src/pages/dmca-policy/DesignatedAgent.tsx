import { ReachUs } from '../../layouts/ReachUs.tsx';
import { site } from '../../lib/site.ts';
import { LinkedAddresses } from './LinkedAddresses.tsx';

/** Who takes notices; where nobody was named, the next way to be heard. */
export function DesignatedAgent() {
  if (site.dmcaAgent !== null)
    return (
      <>
        <p>Notices and counter-notifications go to:</p>
        <address className="rounded-m border border-line bg-surface px-5 py-4 whitespace-pre-line not-italic">
          <LinkedAddresses text={site.dmcaAgent} />
        </address>
        <p>Please send nothing else there: other messages are not answered.</p>
      </>
    );
  return (
    <>
      <p>
        The operator of {site.name} has not named a separate agent here. Send notices and counter-notifications to the
        operator{site.contactEmail === null ? '. ' : ', with “DMCA” in the subject. '}
        <ReachUs />
      </p>
      <p>
        The <a href="https://www.copyright.gov/dmca-directory/">directory of the U.S. Copyright Office</a> lists the
        agents that were registered for a site.
      </p>
    </>
  );
}
