package dev.fairlead.cli.view;

import dev.fairlead.protocol.base.Role;
import dev.fairlead.protocol.prompts.GetPromptResult;
import dev.fairlead.protocol.prompts.PromptMessage;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The messages of a prompt as people see them. */
public final class Conversation {
    private Conversation() {}

    /**
     * Each message under the role that speaks, indented by two blanks. On a terminal the
     * description stands above them.
     */
    public static List<String> lines(GetPromptResult prompt, Screen screen) {
        List<String> lines = new ArrayList<>();
        if (prompt.description() != null && screen.terminal()) {
            lines.addAll(new Indented("", screen).paragraph(prompt.description(), Style.DIM));
            lines.add("");
        }
        Indented inside = new Indented("  ", screen);
        Blocks blocks = new Blocks(inside.screen());
        for (PromptMessage message : prompt.messages()) {
            lines.add(speaker(message.role(), screen));
            lines.addAll(inside.all(blocks.lines(message.content())));
        }
        return lines;
    }

    private static String speaker(Role role, Screen screen) {
        Style style = role == Role.USER ? Style.GREEN : Style.CYAN;
        return screen.styled(style, role.name().toLowerCase(Locale.ROOT) + ":");
    }
}
