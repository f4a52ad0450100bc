import { PASSWORD } from '../../../support/people.js';
import { type World } from '../world.js';
import { at, fill, type PageRow, submit } from './page-row.js';

/** Pages for signing in. */
export const PEOPLE_ROWS: readonly PageRow[] = [
  { name: 'setup', route: '/setup', who: 'first', path: at('/setup') },
  {
    name: 'setup-refused',
    route: '/setup',
    who: 'first',
    path: at('/setup'),
    act: async (page) => {
      await fill(page, { 'Setup token': 'x', 'Your name': 'Jo', Email: 'a@b', Password: PASSWORD });
      await submit(page, 'Set up');
    },
  },
  { name: 'setup-over', pictured: false, route: '/setup', who: 'guest', path: at('/setup') },
  { name: 'sign-in', route: '/sign-in', who: 'guest', path: at('/sign-in?done=signed-out') },
  {
    name: 'sign-in-refused',
    pictured: false,
    route: '/sign-in',
    who: 'guest',
    path: at('/sign-in'),
    act: async (page) => {
      await page.getByLabel('Email').fill('nobody@example.com');
      await page.getByLabel('Password').fill('wrong');
      await submit(page, 'Sign in');
    },
  },
  { name: 'forgot-password', route: '/forgot-password', who: 'guest', path: at('/forgot-password') },
  {
    name: 'forgot-password-refused',
    pictured: false,
    route: '/forgot-password',
    who: 'guest',
    path: at('/forgot-password'),
    act: async (page) => {
      await fill(page, { Email: 'a@b' });
      await submit(page, 'Send link');
    },
  },
  {
    name: 'forgot-password-requested',
    route: '/forgot-password',
    who: 'guest',
    path: at('/forgot-password?done=requested'),
  },
  {
    name: 'reset-password',
    route: '/reset-password',
    who: 'guest',
    path: ({ resetToken }: World) => `/reset-password/${resetToken}`,
  },
  {
    name: 'reset-password-refused',
    pictured: false,
    route: '/reset-password',
    who: 'guest',
    path: ({ resetToken }: World) => `/reset-password/${resetToken}`,
    act: async (page) => {
      await fill(page, { 'New password': 'password1234' });
      await submit(page, 'Set password');
    },
  },
  {
    name: 'reset-password-invalid',
    route: '/reset-password/:token',
    who: 'guest',
    path: at('/reset-password/none'),
  },
  ...(['guest', 'viewer'] as const).map((who) => ({
    name: who === 'guest' ? 'invitation' : 'invitation-signed-in',
    pictured: who === 'guest',
    route: '/invitations/:token',
    who,
    path: ({ invitation }: World) => `/invitations/${invitation}`,
  })),
  {
    name: 'invitation-none',
    pictured: false,
    route: '/invitations/:token',
    who: 'guest',
    path: at('/invitations/none'),
  },
  { name: 'acknowledgement-none', pictured: false, route: '/ack/:token', who: 'guest', path: at('/ack/none') },
];
