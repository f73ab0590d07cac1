package dev.fairlead.cli.ask;

import dev.fairlead.cli.ask.Dialog.Choice;
import dev.fairlead.cli.view.Style;
import dev.fairlead.json.JsonCodec;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.content.SamplingContent;
import dev.fairlead.protocol.content.TextContent;
import dev.fairlead.protocol.sampling.CreateMessageRequest;
import dev.fairlead.protocol.sampling.CreateMessageResult;
import dev.fairlead.protocol.sampling.ModelHint;
import dev.fairlead.protocol.sampling.ModelPreferences;
import dev.fairlead.protocol.sampling.SamplingMessage;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A request to a language model. There is none here, so the person sees all of it and answers in
 * its place, in a line or in an editor, or denies it. The text of an editor is reviewed.
 */
final class SampleQuestion {
    private static final String MODEL = "human";
    private static final JsonCodec<SamplingContent> CONTENT = JsonCodec.of(SamplingContent.class);
    private static final List<Choice> BEGIN =
            List.of(
                    new Choice('y', "type an answer"),
                    new Choice('e', "editor"),
                    new Choice('n', "no"));
    private static final List<Choice> REVIEW =
            List.of(new Choice('y', "yes"), new Choice('e', "editor"), new Choice('n', "no"));

    private final Dialog dialog;
    private final Editor editor;
    private final String server;
    private final CreateMessageRequest request;

    SampleQuestion(Dialog dialog, Editor editor, String server, CreateMessageRequest request) {
        this.dialog = dialog;
        this.editor = editor;
        this.server = server;
        this.request = request;
    }

    /** The answer; empty if the person denies it. */
    Optional<CreateMessageResult> ask() throws LeftException, InterruptedException, IOException {
        introduce();
        char decision = dialog.choose("Answer for the model?", BEGIN);
        String text = decision == 'y' ? typed() : "";
        while (decision == 'e') {
            text = editor.edit(dialog, text);
            decision = review(text);
        }
        return decision == 'y'
                ? Optional.of(CreateMessageResult.text(MODEL, text))
                : Optional.empty();
    }

    private String typed() throws LeftException, InterruptedException {
        String line = dialog.line("assistant:", "");
        while (line.isBlank()) {
            line = dialog.line("assistant:", "");
        }
        return line;
    }

    private void introduce() {
        dialog.say("");
        dialog.say(
                Style.BOLD,
                "The server \""
                        + Printable.line(server)
                        + "\" asks a language model for an answer:");
        if (request.systemPrompt() != null) {
            message("system", request.systemPrompt());
        }
        for (SamplingMessage message : request.messages()) {
            String speaker = message.role().name().toLowerCase(Locale.ROOT);
            message(speaker, text(message.content()));
        }
        wishes();
        dialog.say(
                Style.DIM,
                "No model is connected: your text is sent to the server as its answer. Enter sends"
                        + " a line, Ctrl-D denies, Ctrl-C cancels the call.");
    }

    private void message(String speaker, String text) {
        dialog.say(Style.CYAN, "  " + speaker + ":");
        Printable.text(text).lines().forEach(line -> dialog.say("    " + line));
    }

    private static String text(List<SamplingContent> content) {
        return content.stream()
                .map(
                        block ->
                                block instanceof TextContent text
                                        ? text.text()
                                        : cut(CONTENT.toValue(block).toJson()))
                .collect(Collectors.joining("\n"));
    }

    private static String cut(String json) {
        return json.length() <= 300 ? json : json.substring(0, 300) + "…";
    }

    private void wishes() {
        dialog.say(Style.DIM, "  at most " + request.maxTokens() + " tokens");
        ModelPreferences preferences = request.modelPreferences();
        if (preferences != null && preferences.hints() != null) {
            String models =
                    preferences.hints().stream()
                            .map(ModelHint::name)
                            .filter(Objects::nonNull)
                            .map(Printable::line)
                            .collect(Collectors.joining(", "));
            dialog.say(Style.DIM, "  models wanted: " + models);
        }
    }

    private char review(String text) throws LeftException, InterruptedException {
        dialog.say("");
        dialog.say(Style.BOLD, "The answer:");
        dialog.quote(Printable.text(text));
        return dialog.choose("Send it?", REVIEW);
    }
}
