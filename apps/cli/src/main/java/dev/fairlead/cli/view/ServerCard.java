package dev.fairlead.cli.view;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.Printable;
import dev.fairlead.protocol.base.Implementation;
import dev.fairlead.protocol.lifecycle.ServerCapabilities;
import dev.fairlead.protocol.tasks.TasksExtension;

import java.util.ArrayList;
import java.util.List;

/** The identity and the capabilities of a server, as people see them. */
public final class ServerCard {
    private ServerCard() {}

    /** Name and version, revision, capabilities, and how the server says that it is used. */
    public static List<String> lines(McpClient server, Screen screen) {
        Implementation info = server.serverInfo();
        List<String> lines = new ArrayList<>();
        lines.add(
                Names.heading(info.displayName(), info.name(), screen)
                        + " "
                        + Printable.line(info.version()));
        Indented inside = new Indented("  ", screen);
        if (info.description() != null) {
            lines.addAll(inside.paragraph(info.description(), Style.PLAIN));
        }
        if (info.websiteUrl() != null) {
            lines.addAll(inside.paragraph(info.websiteUrl(), Style.PLAIN));
        }
        lines.addAll(inside.paragraph("revision " + server.revision(), Style.DIM));
        lines.addAll(inside.paragraph("offers " + offers(server.serverCapabilities()), Style.DIM));
        server.instructions()
                .ifPresent(
                        text -> {
                            lines.add("");
                            lines.addAll(inside.paragraph(text, Style.PLAIN));
                        });
        return lines;
    }

    private static String offers(ServerCapabilities capabilities) {
        List<String> offers = new ArrayList<>();
        add(offers, capabilities.tools(), "tools");
        add(
                offers,
                capabilities.resources(),
                capabilities.resourcesSubscribe() ? "resources (with subscriptions)" : "resources");
        add(offers, capabilities.prompts(), "prompts");
        add(offers, capabilities.completions(), "completion");
        add(offers, capabilities.logging(), "log messages");
        add(
                offers,
                capabilities.tasks().isPresent() || TasksExtension.isDeclaredBy(capabilities),
                "tasks");
        return offers.isEmpty() ? "nothing" : String.join(", ", offers);
    }

    private static void add(List<String> offers, boolean offered, String what) {
        if (offered) {
            offers.add(what);
        }
    }
}
