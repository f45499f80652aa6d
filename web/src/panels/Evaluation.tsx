// How good the predictions are in detail: by class, by probability, by group of rows.
import { useAppState } from "../app";
import { AboutPruned, HiddenWhilePruned } from "./AboutPruned";
import { Calibration } from "./Calibration";
import { ClassRoc, ClassTable, ConfusionMatrix } from "./ClassScores";
import { ResidualsOverPrediction } from "./ResidualsPanel";
import { Section } from "./Section";
import { Subgroups } from "./Subgroups";

export function Evaluation() {
  const [app, state] = useAppState();
  const { evaluation_note } = app.payload;
  const evaluation = app.evaluation(state);
  if (!evaluation && app.payload.evaluation) return <Section id="evaluation" name="Evaluation"><HiddenWhilePruned what="Evaluation figures" /></Section>;
  if (!evaluation) return evaluation_note ? <Section id="evaluation" name="Evaluation"><p class="quiet">{evaluation_note}</p></Section> : null;
  const { confusion, classes, calibration, subgroups } = evaluation;
  return (
    <Section id="evaluation" name="Evaluation" words={`On ${evaluation.on}.`}>
      <AboutPruned />
      <div class="blocks">
        {confusion && <ConfusionMatrix confusion={confusion} weighted={evaluation.weighted} />}
        {classes && <ClassTable classes={classes} weighted={evaluation.weighted} />}
        {classes && <ClassRoc classes={classes} />}
        {calibration && <Calibration calibration={calibration} />}
        <ResidualsOverPrediction />
        {!subgroups.length && app.payload.evaluation!.subgroups.length > 0 && <div class="block"><HiddenWhilePruned what="Scores by group of rows" /></div>}
        {subgroups.length > 0 && <Subgroups subgroups={subgroups} />}
      </div>
    </Section>
  );
}
