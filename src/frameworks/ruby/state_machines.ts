// state_machines: an event that saves its record does so in a transaction, which joins the one around it. Not what else an event runs.
import { framework } from '../../framework.ts';

export default framework({
  name: 'state_machines',
  language: 'ruby',
  packages: ['gem:state_machines-activerecord'],
  needles: ['state_machine'],
  declares: { events: 'state_machine' },
  types: {
    'ActiveRecord::Base': {
      // `pay` asks it.
      '#within_transaction': { scope: { opens: 'transaction', whenNested: 'join' } },
    },
  },
});
