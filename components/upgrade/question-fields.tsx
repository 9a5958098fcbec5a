"use client";

import { MappingFields } from "@/components/mapping/mapping-fields";
import type { UpgradeOffer } from "@/lib/contract/configuration-view";
import type { Issue } from "@/lib/contract/problem";
import { mappingPointer } from "@/lib/domain/mapping/check-mappings";
import { SettingQuestionRow } from "./setting-question-row";
import { pathIn, valueOf, type Questions, type UpgradeAnswers } from "./upgrade-questions";

export interface AnswerHandlers {
  onValue: (name: string, value: string | undefined) => void;
  onSkip: (name: string, isSkipped: boolean) => void;
  onPath: (pointer: string, path: string) => void;
}

interface QuestionFieldsProps extends AnswerHandlers {
  questions: Questions;
  offer: UpgradeOffer;
  answers: UpgradeAnswers;
  issues: readonly Issue[];
}

/** The inputs of what is asked, or of what is offered. */
export function QuestionFields(props: QuestionFieldsProps) {
  const { questions, offer, answers, issues, onValue, onSkip, onPath } = props;
  return (
    <div className="divide-y divide-line border-t border-line">
      {questions.settings.map((question) => (
        <div key={question.pointer} data-pointer={question.pointer} className="px-4 py-5 sm:px-6">
          <SettingQuestionRow
            question={question}
            value={valueOf(question, answers)}
            isSkipped={answers.skipped.has(question.setting.name)}
            error={issues.find(({ pointer }) => pointer === question.pointer)?.message}
            onChange={onValue}
            onSkip={onSkip}
          />
        </div>
      ))}
      {questions.mappings.map(({ product, fields }) => (
        <section key={product.name} className="flex flex-col gap-4 px-4 py-5 sm:px-6">
          <h3 className="text-[13px] font-medium break-words text-ink">Mapping of {product.name}</h3>
          <MappingFields
            product={product}
            others={questions.mappings
              .filter((other) => other.product.name !== product.name)
              .map((other) => ({
                name: other.product.name,
                pathOf: (field) => pathIn(offer, answers, other.product.name, field.name),
              }))}
            fields={fields}
            pathOf={(field) => pathIn(offer, answers, product.name, field.name)}
            issues={issues}
            onChange={(field, path) => onPath(mappingPointer(product.name, field.name), path)}
          />
        </section>
      ))}
    </div>
  );
}
