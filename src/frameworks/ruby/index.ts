// Ruby's tables, so that no other language's are made where one is read. Not what they say.
import type { Framework } from '../../framework.ts';
import aasm from './aasm.ts';
import activerecord from './activerecord.ts';
import rubyCore from './core.ts';
import flipper from './flipper.ts';
import fx from './fx.ts';
import rubyJobs from './jobs.ts';
import sequel from './sequel.ts';
import solidQueue from './solid_queue.ts';
import stateMachines from './state_machines.ts';
import statesman from './statesman.ts';
import web from './web.ts';

export const frameworks: Framework[] = [
  aasm,
  activerecord,
  flipper,
  fx,
  rubyCore,
  rubyJobs,
  sequel,
  solidQueue,
  stateMachines,
  statesman,
  web,
];
