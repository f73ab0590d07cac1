package dev.fairlead.showcase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fairlead.client.McpClient;
import dev.fairlead.protocol.tools.Tool;
import dev.fairlead.server.McpServer;
import dev.fairlead.tasks.Tasks;

import org.junit.jupiter.api.Test;

import java.util.List;

class ServedTest {
    private static List<String> tools(Served served) throws InterruptedException {
        try (McpServer server = served.server(Tasks.inMemory(), builder -> builder);
                McpClient client = McpClient.connect(server.inProcess())) {
            return client.tools().stream().map(Tool::name).toList();
        }
    }

    @Test
    void theTourAndTheFixturesAreServedAloneOrTogether() throws Exception {
        List<String> tour = tools(Served.TOUR);
        List<String> fixtures = tools(Served.FIXTURES);

        assertThat(tour).contains("find_trains").doesNotContain("interop_echo");
        assertThat(fixtures).contains("interop_echo").doesNotContain("find_trains");
        assertThat(tools(Served.BOTH)).containsAll(tour).containsAll(fixtures);
        assertThat(tools(Served.BENCH)).containsExactly("echo");
    }

    @Test
    void aPersonReadsWhatRunsTwoCommandsAndHowToStop() {
        assertThat(Served.TOUR.greeting("./fairlead", "http://127.0.0.1:3000/mcp", "Ctrl-C"))
                .containsExactly(
                        "This is the tour: night trains across Europe, all invented.",
                        "Try it from another terminal:",
                        "  ./fairlead shell http://127.0.0.1:3000/mcp",
                        "  ./fairlead tools call find_trains from=Zurich to=Vienna"
                                + " http://127.0.0.1:3000/mcp",
                        "Stop with Ctrl-C.");
    }
}
