import { MARK_WORDS } from '../../../html/marks.js';
import { curlLine } from '../curl.js';
import { WithCurl } from '../html/copy.js';
import { Empty } from '../html/table.js';
import { type PageFrame } from '../page-frame.js';
import { LiveStatus } from './live-status.js';

/** What a team without monitors sees. The page reloads once the first one exists. */
export function FirstMonitor({ frame, mayWrite }: { frame: PageFrame; mayWrite: boolean }) {
  const body = { name: 'Our site', type: 'http', url: 'https://example.com/', intervalSeconds: 60 };
  return (
    <>
      <Empty>
        A monitor checks a URL, a port, a certificate or another target on a schedule, stores every result, and shows
        whether it is {MARK_WORDS.up.toLowerCase()} or {MARK_WORDS.down.toLowerCase()}, and since when.{' '}
        {mayWrite
          ? 'This team has no monitors yet.'
          : 'This team has no monitors yet; an editor or owner can create one.'}
      </Empty>
      <LiveStatus frame={frame} ids={[]} isFirstPage awaitsFirst />
      <WithCurl id="first-curl" command={curlLine('POST', `${frame.origin}/v1/monitors`, { body })} />
    </>
  );
}
