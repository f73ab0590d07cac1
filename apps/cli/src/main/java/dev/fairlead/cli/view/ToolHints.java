package dev.fairlead.cli.view;

import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.protocol.tools.ToolAnnotations;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * The hints of a tool about its effects, in words; absent hints are left out. They are not
 * verified.
 */
final class ToolHints {
    private final List<String> words = new ArrayList<>();

    private ToolHints() {}

    static List<String> of(Tool tool) {
        ToolHints hints = new ToolHints();
        if (tool.annotations() != null) {
            hints.add(tool.annotations());
        }
        switch (tool.taskSupport()) {
            case OPTIONAL -> hints.words.add("task possible");
            case REQUIRED -> hints.words.add("task only");
            case FORBIDDEN -> {}
        }
        return hints.words;
    }

    private void add(ToolAnnotations annotations) {
        add(annotations.readOnlyHint(), "read-only", "");
        if (!annotations.isReadOnly()) { // otherwise there is nothing to destroy or to repeat
            add(annotations.destructiveHint(), "destructive", "not destructive");
            add(annotations.idempotentHint(), "idempotent", "");
        }
        add(annotations.openWorldHint(), "open world", "closed world");
    }

    private void add(@Nullable Boolean hint, String whenTrue, String whenFalse) {
        if (hint != null) {
            String word = hint ? whenTrue : whenFalse;
            if (!word.isEmpty()) {
                words.add(word);
            }
        }
    }
}
