package aisle.analysis;

import static org.elasticsearch.plugins.AnalysisPlugin.requiresAnalysisSettings;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;
import org.apache.lucene.analysis.pattern.PatternReplaceCharFilter;
import org.elasticsearch.common.regex.Regex;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.env.Environment;
import org.elasticsearch.index.analysis.Analysis;
import org.elasticsearch.index.analysis.CharFilterFactory;
import org.elasticsearch.index.analysis.PreConfiguredCharFilter;
import org.elasticsearch.indices.analysis.AnalysisModule.AnalysisProvider;

/** The char filters html_strip, mapping and pattern_replace. */
final class CharFilters {

    private CharFilters() {}

    static Map<String, AnalysisProvider<CharFilterFactory>> configurable() {
        return Map.of(
            "html_strip", (index, environment, name, settings) -> htmlStrip(name, settings),
            "mapping", requiresAnalysisSettings((index, environment, name, settings) -> mapping(name, environment, settings)),
            "pattern_replace", requiresAnalysisSettings((index, environment, name, settings) -> patternReplace(name, settings))
        );
    }

    static List<PreConfiguredCharFilter> ready() {
        return List.of(PreConfiguredCharFilter.singleton("html_strip", false, HTMLStripCharFilter::new));
    }

    private static CharFilterFactory htmlStrip(String name, Settings settings) {
        Set<String> escaped = Set.copyOf(settings.getAsList("escaped_tags"));
        return Factories.charFilter(name, input -> new HTMLStripCharFilter(input, escaped));
    }

    private static CharFilterFactory mapping(String name, Environment environment, Settings settings) {
        List<String> rules = Analysis.getWordList(environment, settings, "mappings");
        if (rules == null) {
            throw new IllegalArgumentException("mapping requires either `mappings` or `mappings_path` to be configured");
        }
        NormalizeCharMap.Builder map = new NormalizeCharMap.Builder();
        for (String rule : rules) {
            Rules.Pair pair = Rules.parse(rule);
            map.add(pair.left(), pair.right());
        }
        NormalizeCharMap built = map.build();
        return Factories.normalizingCharFilter(name, input -> new MappingCharFilter(built, input));
    }

    private static CharFilterFactory patternReplace(String name, Settings settings) {
        Pattern pattern = Patterns.required(settings, name, "char filter");
        String replacement = settings.get("replacement", "");
        return Factories.normalizingCharFilter(name, input -> new PatternReplaceCharFilter(pattern, replacement, input));
    }

    /** Reads patterns for the char filter, the token filter and the tokenizer alike. */
    static final class Patterns {

        private Patterns() {}

        static Pattern required(Settings settings, String name, String kind) {
            String pattern = settings.get("pattern");
            if (pattern == null || pattern.isEmpty()) {
                throw new IllegalArgumentException("pattern is missing for [" + name + "] " + kind + " of type 'pattern_replace'");
            }
            return Regex.compile(pattern, settings.get("flags"));
        }
    }
}
