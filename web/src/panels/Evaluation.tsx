// How good the predictions are in detail: by class, by probability, by group of rows.
import { useAppState } from "../app";
import { AboutModel } from "./AboutModel";
import { Calibration } from "./Calibration";
import { ClassRoc, ClassTable, ConfusionMatrix } from "./ClassScores";
import { ResidualsOverPrediction } from "./ResidualsPanel";
import { Section } from "./Section";
import { Subgroups } from "./Subgroups";

export function Evaluation() {
  const [app] = useAppState();
  const { evaluation, evaluation_note } = app.payload;
  if (!evaluation) return evaluation_note ? <Section id="evaluation" name="Evaluation"><p class="quiet">{evaluation_note}</p></Section> : null;
  const { confusion, classes, calibration, subgroups } = evaluation;
  return (
    <Section id="evaluation" name="Evaluation" words={`On ${evaluation.on}.`}>
      <AboutModel />
      <div class="blocks">
        {confusion && <ConfusionMatrix confusion={confusion} />}
        {classes && <ClassTable classes={classes} />}
        {classes && <ClassRoc classes={classes} />}
        {calibration && <Calibration calibration={calibration} />}
        <ResidualsOverPrediction />
        {subgroups.length > 0 && <Subgroups subgroups={subgroups} />}
      </div>
    </Section>
  );
}
