package dev.fairlead.cli.ask;

import dev.fairlead.cli.ask.Dialog.Choice;
import dev.fairlead.cli.view.Style;
import dev.fairlead.client.ElicitForm;
import dev.fairlead.client.FormField;
import dev.fairlead.json.JsonObject;
import dev.fairlead.json.JsonValue;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.elicitation.Answer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A form, field by field, with a review before anything is sent. A form of one field is reviewed in
 * its line, which the person has before their eyes.
 */
final class FormQuestion {
    private static final List<Choice> BEGIN =
            List.of(new Choice('y', "yes"), new Choice('n', "no"), new Choice('c', "cancel"));
    private static final List<Choice> REVIEW =
            List.of(
                    new Choice('y', "yes"),
                    new Choice('e', "edit"),
                    new Choice('n', "no"),
                    new Choice('c', "cancel"));

    private final Dialog dialog;
    private final ElicitForm form;
    private final List<FormField> fields;
    private final Map<String, JsonValue> content = new LinkedHashMap<>();

    FormQuestion(Dialog dialog, ElicitForm form) {
        this.dialog = dialog;
        this.form = form;
        this.fields = form.fields();
    }

    Answer<?> ask() throws LeftException, InterruptedException {
        introduce();
        char begin = dialog.choose("Answer it?", BEGIN);
        if (begin != 'y') {
            return refusal(begin);
        }
        while (true) {
            for (FormField field : fields) {
                fillIn(field);
            }
            char decision = isShort() ? 'y' : review();
            if (decision == 'y') {
                return Answer.accept(new JsonObject(content));
            } else if (decision != 'e') {
                return refusal(decision);
            }
        }
    }

    private boolean isShort() {
        return fields.size() <= 1;
    }

    private static Answer<?> refusal(char decision) {
        return decision == 'n' ? Answer.decline() : Answer.cancel();
    }

    private void introduce() {
        String server = Printable.line(form.server().displayName());
        dialog.say("");
        dialog.say(Style.BOLD, "The server \"" + server + "\" asks you to fill in a form:");
        dialog.quote(Printable.text(form.message()));
        dialog.say(
                Style.DIM,
                "Your answers are sent to that server. Never enter passwords, keys or payment data"
                        + " here.");
        dialog.say(
                Style.DIM,
                (isShort() && !fields.isEmpty() ? "Enter sends your answer, " : "")
                        + "Ctrl-D leaves the form, Ctrl-C cancels the call.");
    }

    private void fillIn(FormField field) throws LeftException, InterruptedException {
        Field shown = new Field(field);
        shown.description().forEach(dialog::say);
        while (true) {
            String typed = dialog.line(shown.prompt(), shown.text(content.get(field.name())));
            try {
                field.parse(typed)
                        .ifPresentOrElse(
                                value -> content.put(field.name(), value),
                                () -> content.remove(field.name()));
                return;
            } catch (IllegalArgumentException e) {
                dialog.say(Style.YELLOW, "  " + Printable.line(String.valueOf(e.getMessage())));
            }
        }
    }

    private char review() throws LeftException, InterruptedException {
        dialog.say("");
        dialog.say(Style.BOLD, "Your answer:");
        for (FormField field : fields) {
            JsonValue value = content.get(field.name());
            String shown = value == null ? "(none)" : Printable.line(value.toJson());
            dialog.say("  " + field.title() + ": " + shown);
        }
        return dialog.choose("Send it?", REVIEW);
    }
}
