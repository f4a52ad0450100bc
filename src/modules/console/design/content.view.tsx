import { DayHistory } from '../../../html/day-history.js';
import { MARK_WORDS } from '../../../html/marks.js';
import { CopyBlock, WithCurl } from '../html/copy.js';
import { State } from '../html/state.js';
import { Empty, Table } from '../html/table.js';
import { Example } from './example.js';
import { EXAMPLE_DAYS, MARKS } from './examples.js';

/** What people read. */
export function Content() {
  return (
    <>
      <h2>Content</h2>
      <Example name="Table">
        <Table
          caption="Monitors"
          columns={['Monitor', 'State', 'Last response']}
          rows={MARKS.slice(0, 3).map((mark) => ({
            key: mark,
            cells: [
              <a href="/design">{`Monitor that is ${mark}`}</a>,
              <State mark={mark} word={MARK_WORDS[mark]} />,
              '84 ms',
            ],
          }))}
        />
      </Example>
      <Example name="Days with tooltip">
        <DayHistory name="Example" words="99.953%" days={EXAMPLE_DAYS} />
      </Example>
      <Example name="Hero, figures">
        <div class="standing down">
          <p>
            <State mark="down" word="Down" />
          </p>
          <p>Down since 14:02 (6 minutes). Re-checking every 10 seconds.</p>
        </div>
        <dl class="figures">
          <div>
            <dt>24 hours</dt>
            <dd>99.953%</dd>
            <dd>40 seconds down</dd>
          </div>
        </dl>
      </Example>
      <Example name="Timeline, facts">
        <ol class="told">
          <li>
            <p>
              <strong>Investigating</strong> <span class="quiet">14:02</span>
            </p>
            <p>We are investigating failed payments.</p>
          </li>
          <li>
            <p>
              <strong>Resolved</strong> <span class="quiet">14:20</span>
            </p>
          </li>
        </ol>
        <dl class="facts">
          <dt>Impact</dt>
          <dd>Down</dd>
          <dt>Duration</dt>
          <dd>18 minutes</dd>
        </dl>
      </Example>
      <Example name="Text to copy, API drawer">
        <CopyBlock id="example-copy" label="example" text="dw_live_example" />
        <WithCurl id="example-curl" command="curl https://status.example.com/healthz" />
      </Example>
    </>
  );
}

/** What the service reports, and what stands in for content that does not exist yet. */
export function Messages() {
  return (
    <>
      <h2>Messages</h2>
      <Example name="Done, warning, errors">
        <p class="done">Monitor saved.</p>
        <p class="warning">This key expires in 3 days.</p>
        <p class="summary">Fix the following.</p>
      </Example>
      <Example name="Empty state, skeleton">
        <Empty>No incidents yet. One opens automatically when an outage is confirmed.</Empty>
        <p class="skeleton">Computing the figures for the last 7 days…</p>
      </Example>
    </>
  );
}
