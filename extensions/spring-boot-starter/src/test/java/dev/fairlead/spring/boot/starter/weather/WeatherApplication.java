// @start region="application"
package dev.fairlead.spring.boot.starter.weather;

import dev.fairlead.server.annotation.McpTool;
import dev.fairlead.spring.boot.starter.McpFeatures;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Component;

import java.util.Map;

@SpringBootApplication
public class WeatherApplication {
    record City(String name) {}

    /** A component whose annotated methods are features. */
    @Component
    static class Station {
        private final Map<String, Integer> degrees = Map.of("Bergen", 9, "Oslo", 12);

        /** Returns the temperature in a city, in degrees Celsius. */
        @McpTool(readOnly = true)
        int temperature(String city) {
            return degrees.getOrDefault(city, 10);
        }
    }

    /** Declares a feature by hand, with an option that annotations do not have. */
    @Bean
    McpFeatures forecasts(Station station) {
        return features ->
                features.tool("forecast", "Tomorrow's weather", City.class, String.class)
                        .handle(
                                (city, call) ->
                                        station.temperature(city.name())
                                                + 1
                                                + " °C in "
                                                + city.name());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WeatherApplication.class, arguments);
    }
}
// @end
