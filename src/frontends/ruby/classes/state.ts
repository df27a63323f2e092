// What is known while the first look goes over a file: its classes so far, and where in them it is. Not how it looks.
import type { Syntax } from '../../syntax.ts';
import type { Owner, RubyFile } from '../names/file.ts';

export interface State {
  file: RubyFile;
  owners: Owner[];
  top: Owner;
  script: Syntax[];
  /** Macros and blocks wait until all classes of the file are known. */
  later: (() => void)[];
  /** `namespace :orders do` of a Rakefile. */
  tasks: string[];
}

export interface Place {
  owner: Owner;
  singleton: boolean;
  visibility: { private: boolean };
}
