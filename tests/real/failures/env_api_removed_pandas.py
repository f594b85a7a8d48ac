# causes: env.api_removed
# needs: pandas
import pandas

table = pandas.DataFrame({"loss": [1.0]})
table = table.append({"loss": 0.5}, ignore_index=True)
