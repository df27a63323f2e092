// Bean Validation: what a list has at most that a method is handed.
import { framework, type Meaning } from '../../framework.ts';

const size: Meaning = { limits: 'max' };

export default framework({
  name: 'validation',
  language: 'jvm',
  packages: ['maven:jakarta.validation:jakarta.validation-api', 'maven:javax.validation:validation-api'],
  needles: [],
  apis: {
    'jakarta.validation.constraints.Size': size,
    'javax.validation.constraints.Size': size,
  },
});
