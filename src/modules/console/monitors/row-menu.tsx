import { awaitsReports } from '../../../probes/index.js';
import { type MonitorDto } from '../../monitors/dto/monitor.dto.js';
import { Form } from '../html/form.js';
import { MenuButton, MenuLink, MoreMenu } from '../html/menu.js';
import { type PageFrame } from '../page-frame.js';
import { pathOf } from './shown-monitor.js';

interface RowMenuProps {
  frame: PageFrame;
  monitor: MonitorDto;
}

/** The actions on a monitor of the list. */
export function RowMenu({ frame, monitor }: RowMenuProps) {
  const path = pathOf(monitor);
  const about = monitor.name;
  return (
    <MoreMenu about={about}>
      {!awaitsReports(monitor.type) && (
        <Form frame={frame} action={`${path}/checks`}>
          <MenuButton icon="refresh-cw" label="Check now" about={about} />
        </Form>
      )}
      {monitor.status === 'paused' ? (
        <Form frame={frame} action={`${path}/resume`}>
          <MenuButton icon="play" label="Resume" about={about} />
        </Form>
      ) : (
        <MenuLink href={`${path}/pause`} icon="pause" label="Pause" about={about} />
      )}
      <MenuLink href={`${path}/edit`} icon="pencil" label="Edit" about={about} />
      <MenuLink href={`/monitors/new?from=${monitor.id}`} icon="copy" label="Duplicate" about={about} />
      <hr />
      <MenuLink href={`${path}/delete`} icon="trash" label="Delete" about={about} isDanger />
    </MoreMenu>
  );
}
